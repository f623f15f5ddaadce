/// Says which header fields any origin may see, and any account may share responses to.
///
/// Keys go by names that nobody can list, such as `X-Functions-Key`. So the rule names what is harmless, and takes every
/// other field for a credential.
struct FieldSharing: Sendable {
    /// Names of credentials beside the known ones.
    var secretNames: [String] = []
    /// Names of further fields that are no credentials.
    var sharedNames: Set<String> = []

    func isShared(_ field: HTTPHeaders.Field) -> Bool {
        func isNamed(in names: some Sequence<String>) -> Bool {
            names.contains { $0.isSameFieldName(as: field.name) }
        }
        guard !field.isSecret, !Redaction.isSecret(field: field.name), !isNamed(in: secretNames) else { return false }
        return isNamed(in: Self.harmless) || isNamed(in: sharedNames)
    }

    /// Fields that say what is wanted, how, and what the content is, but not who asks (RFC 9110, RFC 9111).
    private static let harmless = [
        "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language",
        "Cache-Control", "Pragma",
        "Connection", "Date", "Expect", "Idempotency-Key", "Priority", "TE", "Trailer", "Transfer-Encoding",
        "Content-Digest", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length",
        "Content-MD5", "Content-Range", "Content-Type", "Repr-Digest",
        "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range",
        "User-Agent",
    ]
}
