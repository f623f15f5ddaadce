/// Makes the value of a Basic `Authorization` field (RFC 7617).
enum BasicCredential {
    /// nil for a user name with a colon or control characters, and for a password with such.
    static func header(user: String, password: String) -> String? {
        let text = user + ":" + password
        let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        if user.contains(":") || hasControl { return nil }
        return "Basic " + Data(text.utf8).base64EncodedString()
    }

    static let error = SimpleNetworkingError.authentication(
        .init(reason: "Basic credentials cannot hold a user name with a colon, nor control characters (RFC 7617)")
    )
}
