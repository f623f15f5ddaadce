import SimpleNetworkingSupport

extension SimpleNetworking.Configuration {
    /// The error that ends every request, if a setting has no meaning; nil if there is none.
    ///
    /// A name that no field can have would hide nothing, and share nothing, without a word.
    var mistake: SimpleNetworkingError? {
        let settings = [("secretHeaders", secretHeaders), ("sharedHeaders", sharedHeaders)]
        for (setting, names) in settings {
            if let name = names.filter({ !$0.isToken }).min() {
                let text = name.inOneLine(limit: 200)
                let reason = "its client's \(setting) contain “\(text)”, which is not a valid name of a header field"
                return .invalidRequest(reason: reason, nil)
            }
        }
        return nil
    }
}
