import SimpleNetworkingFeatureSupport

/// Identifies a draft of HTTP's resumable uploads by its interop version.
///
/// Until the protocol becomes an RFC, client and server must use the same draft of draft-ietf-httpbis-resumable-upload.
/// A server that uses another draft treats the request as an ordinary upload.
public struct UploadDraft: Sendable, Hashable {
    /// The interop version, which is sent with each request.
    let version: Int

    /// Interop version 3, as in draft 01.
    public static let interop3 = UploadDraft(version: 3)
    /// Interop version 5, as in draft 03.
    public static let interop5 = UploadDraft(version: 5)
    /// Interop version 6, as in drafts 04 and 05.
    public static let interop6 = UploadDraft(version: 6)
}

extension UploadDraft {
    /// The status of the interim response that names an upload's URL.
    static let offerStatus = 104

    private static let versionName = "Upload-Draft-Interop-Version"
    private static let offsetName = "Upload-Offset"
    private static let lengthName = "Upload-Length"
    private static let completeName = "Upload-Complete"
    private static let incompleteName = "Upload-Incomplete"

    private var hasCompleteField: Bool { version >= 5 }
    private var hasOwnMediaType: Bool { version >= 6 }

    /// Adds the field that every request of an upload contains.
    func identify(_ headers: inout HTTPHeaders) { headers[Self.versionName] = "\(version)" }

    /// Adds the fields of the request that begins an upload.
    func describeCreation(ofLength length: Int, in headers: inout HTTPHeaders) {
        identify(&headers)
        markEnd(in: &headers)
        if hasOwnMediaType { headers[Self.lengthName] = "\(length)" }
    }

    /// Adds the fields of a request with the rest of the content.
    func describeRest(from offset: Int, in headers: inout HTTPHeaders) {
        identify(&headers)
        markEnd(in: &headers)
        headers[Self.offsetName] = "\(offset)"
        if hasOwnMediaType { headers["Content-Type"] = "application/partial-upload" }
    }

    /// Marks the end of the request's content as the end of the upload.
    private func markEnd(in headers: inout HTTPHeaders) {
        if hasCompleteField {
            headers[Self.completeName] = "?1"
        } else {
            headers[Self.incompleteName] = "?0"
        }
    }

    /// Returns whether a response uses this draft.
    func isUsed(in headers: HTTPHeaders) -> Bool { integer(Self.versionName, in: headers) == version }

    /// Returns the number of bytes that the server has; nil if the response doesn't state it.
    func offset(in headers: HTTPHeaders) -> Int? { integer(Self.offsetName, in: headers) }

    /// Returns whether the server has the whole upload; nil if the response doesn't state it.
    func isComplete(in headers: HTTPHeaders) -> Bool? {
        let name = hasCompleteField ? Self.completeName : Self.incompleteName
        guard case .boolean(let flag) = headers[name].flatMap(StructuredField.item)?.value else { return nil }
        return flag == hasCompleteField
    }

    /// Returns whether a response states the progress of an upload.
    func describesUpload(_ headers: HTTPHeaders) -> Bool {
        offset(in: headers) != nil || isComplete(in: headers) != nil
    }

    private func integer(_ name: String, in headers: HTTPHeaders) -> Int? {
        guard case .integer(let number) = headers[name].flatMap(StructuredField.item)?.value else { return nil }
        return Int(exactly: number)
    }
}
