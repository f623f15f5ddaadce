import SimpleNetworkingFeatureSupport

/// The upload that the server has offered to resume, and its content.
struct BegunUpload: Sendable {
    /// What the execution keeps of a request's upload; nil if none has begun.
    enum Key: OptionKey { static let defaultValue: BegunUpload? = nil }

    let state: OfferedUpload
    let content: UploadContent
    /// The round of the execution that the upload belongs to.
    let round: Int
}

extension Attempt {
    /// The upload that the execution knows.
    var upload: BegunUpload? {
        get { kept(BegunUpload.Key.self).value }
        nonmutating set { kept(BegunUpload.Key.self).value = newValue }
    }

    /// Whether an upload has begun since a handler last requested that the request be sent.
    var hasUploadOfThisRound: Bool { upload?.round == round }

    func note(_ upload: OfferedUpload, of content: UploadContent) {
        self.upload = BegunUpload(state: upload, content: content, round: round)
    }
}
