import SimpleNetworkingFeatureSupport

/// Tracks an upload that a server has offered to resume, and the number of bytes that the server has received.
struct OfferedUpload: Sendable {
    /// Reports that a response contradicts the protocol, so that the upload can't be resumed.
    struct Contradiction: Error {
        let reason: String
    }

    let draft: UploadDraft
    /// The URL of the request that began the upload.
    let target: URL
    /// The URL at which the server resumes the upload.
    let written: WrittenURL
    /// The number of bytes of the whole content.
    let length: Int
    /// The number of bytes that the server has confirmed.
    private(set) var offset = 0
    /// Whether the server has confirmed the whole content.
    private(set) var isComplete = false

    /// Returns the URL that a response offers for an upload, as it was sent; nil if it offers none.
    static func location(offeredIn headers: HTTPHeaders, by draft: UploadDraft) -> String? {
        let locations = Set(headers.values(for: "Location")).subtracting([""])
        return draft.isUsed(in: headers) && locations.count == 1 ? locations.first : nil
    }

    /// Creates an upload to an offered URL, or returns nil if the URL can't be used.
    init?(
        at location: String,
        to target: URL,
        of length: Int,
        draft: UploadDraft,
        redirects: RedirectPolicy,
        isTrusted: (URL) -> Bool
    ) {
        guard let written = try? URLParts(resolving: location, against: target).written(),
            let origin = Origin(written.url), let old = Origin(target)
        else { return nil }
        let url = written.url
        guard redirects.refusal(of: url, from: target) == nil else { return nil }
        // An origin without trust must not have requests sent to one that receives credentials.
        guard old == origin || redirects.limit > 0 && (isTrusted(target) || !isTrusted(url)) else { return nil }
        self.draft = draft
        self.target = target
        self.written = written
        self.length = length
    }

    var url: URL { written.url }

    /// Updates the state from the server's response to a request for the state.
    mutating func update(from headers: HTTPHeaders) throws(Contradiction) {
        guard let offset = draft.offset(in: headers), let isComplete = draft.isComplete(in: headers) else {
            throw Contradiction(reason: "the server does not say how much of the upload it has")
        }
        guard offset >= self.offset else {
            throw Contradiction(reason: "the server had \(self.offset) bytes of the upload, and now has \(offset)")
        }
        guard offset <= length, !isComplete || offset == length else {
            throw Contradiction(reason: "the server claims to have \(offset) of the upload's \(length) bytes")
        }
        self.offset = offset
        self.isComplete = isComplete
    }
}
