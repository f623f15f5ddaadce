import SimpleNetworkingFeatureSupport

/// How an interrupted upload is resumed.
struct UploadTerms: Sendable {
    /// The draft that the server supports.
    let draft: UploadDraft
    /// Stores the upload's URL for a later run of the program; nil if the URL isn't stored.
    let record: UploadRecord?
}

/// Sends a request's content in parts, if the server has offered to resume its upload.
enum UploadFeature: Feature {
    static let defaultValue: UploadTerms? = nil

    static let order = 20

    static func check(
        _ body: RequestBody,
        of head: RequestHead,
        _ terms: UploadTerms?
    ) throws(SimpleNetworkingError) {
        guard let terms else { return }
        if !body.isReadableFromAnyByte {
            let reason = "an upload can be resumed only if its body is data or a file"
            throw .invalidRequest(reason: reason, head)
        }
        try terms.record?.check(body, of: head)
    }

    static func stage(at place: StagePlace, for attempt: Attempt) -> (any Middleware)? {
        guard place == .split, let terms = attempt[Self.self] else { return nil }
        return ResumableUploadStage(draft: terms.draft, record: terms.record, attempt: attempt)
    }
}
