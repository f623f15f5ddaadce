import SimpleNetworkingFeatureSupport

/// Builds `multipart/form-data` content (RFC 7578) from fields, data and files.
///
/// ```swift
/// let form = Multipart().field("title", "Sunset").file("photo", at: photoURL, type: "image/jpeg")
/// ```
///
/// The client assembles content of up to 10 MiB in memory when the request is executed. During each attempt,
/// it reads content that is larger or contains streams. The transport for URLSession first writes such content to a
/// temporary file.
public struct Multipart: Sendable {
    private var form: MultipartFormData

    /// Creates an empty form.
    ///
    /// The boundary consists of up to 70 letters, digits, `-`, `.` and `_`. The default boundary is random.
    public init(boundary: String? = nil) {
        form = MultipartFormData(boundary: boundary ?? "SimpleNetworking-" + UUID().uuidString)
    }

    /// Adds a text field.
    public func field(_ name: String, _ text: String) -> Multipart {
        adding(MultipartFormData.Part(name: name, filename: nil, type: nil, source: .data(Data(text.utf8))))
    }

    /// Adds data.
    ///
    /// If you pass a file name, the data is sent as a file.
    ///
    /// `headers` contains the part's own header fields, such as `Content-ID`. If a part has its own
    /// `Content-Disposition` or `Content-Type`, the request ends with `.invalidRequest`, because `name`, `filename` and
    /// `type` determine these fields.
    public func data(
        _ name: String,
        _ data: Data,
        filename: String? = nil,
        type: MediaType = .octetStream,
        headers: HTTPHeaders = [:]
    ) -> Multipart {
        adding(name, filename, type, headers, .data(data))
    }

    /// Adds a file from disk; the default file name is the name of the file on disk.
    ///
    /// For `headers`, see `data(_:_:filename:type:headers:)`.
    public func file(
        _ name: String,
        at url: URL,
        filename: String? = nil,
        type: MediaType = .octetStream,
        headers: HTTPHeaders = [:]
    ) -> Multipart {
        adding(name, filename ?? url.lastPathComponent, type, headers, .file(url))
    }

    /// Adds the content of a stream.
    ///
    /// Each time the client sends the content, it calls `open` on any thread to create the stream. If you pass the
    /// `length` of every stream, in bytes, the request has a `Content-Length`. If the number of bytes in a stream
    /// differs from its `length`, the request ends with `.networkingError` and `.unreadableBody`. For `headers`, see
    /// `data(_:_:filename:type:headers:)`.
    public func stream(
        _ name: String,
        length: Int?,
        filename: String? = nil,
        type: MediaType = .octetStream,
        headers: HTTPHeaders = [:],
        open: @escaping @Sendable () -> (any ContentStream)?
    ) -> Multipart {
        adding(name, filename, type, headers, .stream(length: length, open: open))
    }

    private func adding(
        _ name: String,
        _ filename: String?,
        _ type: MediaType,
        _ headers: HTTPHeaders,
        _ source: MultipartFormData.Source
    ) -> Multipart {
        let fields = headers.map { (name: $0.name, value: $0.value) }
        return adding(
            MultipartFormData.Part(name: name, filename: filename, type: type.rawValue, fields: fields, source: source)
        )
    }

    private func adding(_ part: MultipartFormData.Part) -> Multipart {
        var copy = self
        copy.form.parts.append(part)
        return copy
    }

    /// Creates the content: in memory if it is small and has no streams, otherwise as it is sent.
    func encoded(memoryLimit: Int) throws(SimpleNetworkingError) -> RequestBody {
        do {
            let pieces = try form.pieces()
            let length = Self.length(of: pieces)
            guard let length, length <= memoryLimit, !pieces.contains(where: \.isStream) else {
                let chunks = MultipartChunks(pieces: pieces)
                return .chunks(length: length, BodyChunks(of: chunks) { try chunks.collected() })
            }
            return .data(try MultipartChunks(pieces: pieces).collected(length))
        } catch {
            let reason = (error as? UnwritableContent)?.reason ?? (error as? NetworkFailure)?.detail ?? error.words
            throw .invalidRequest(reason: "its multipart content cannot be sent, since \(reason)", nil)
        }
    }

    /// Returns the number of bytes; nil if a stream's is unknown.
    private static func length(of pieces: [MultipartFormData.Piece]) -> Int? {
        var total = 0
        for piece in pieces {
            guard let length = piece.length else { return nil }
            total = total.addingSaturated(length)
        }
        return total
    }
}

extension Multipart: BodySource {
    /// The content type, with the boundary.
    package var contentType: MediaType { MediaType("multipart/form-data; boundary=\(form.boundary)") }

    /// The boundary, which separates the parts (RFC 7578 §4.1).
    package var requiredParameter: String? { "boundary" }

    package func encoded() throws(SimpleNetworkingError) -> RequestBody { try encoded(memoryLimit: 10 << 20) }
}

extension Multipart: Redacted {
    package var shownMembers: KeyValuePairs<String, Any> { ["parts": form.parts.map(\.name)] }
}
