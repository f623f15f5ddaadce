/// Builds `multipart/form-data` content (RFC 7578) from fields, data and files.
///
/// ```swift
/// let form = Multipart().field("title", "Sunset").file("photo", at: photoURL, type: "image/jpeg")
/// ```
///
/// Files are read when the request is sent. Content of up to 10 MiB is sent from memory, larger content from disk.
public struct Multipart: Sendable {
    private var form: MultipartFormData

    /// Creates an empty form.
    ///
    /// The boundary consists of up to 70 letters, digits, `-`, `.` and `_`. The default is random.
    public init(boundary: String? = nil) {
        form = MultipartFormData(boundary: boundary ?? "SimpleNetworking-" + UUID().uuidString)
    }

    /// Adds a text field.
    public func field(_ name: String, _ text: String) -> Multipart {
        adding(.init(name, nil, nil, .data(Data(text.utf8))))
    }

    /// Adds data; if it has a file name, it is sent as a file.
    public func data(
        _ name: String,
        _ data: Data,
        filename: String? = nil,
        type: MediaType = .octetStream
    ) -> Multipart {
        adding(.init(name, filename, type.rawValue, .data(data)))
    }

    /// Adds a file from disk, with its own name by default.
    public func file(
        _ name: String,
        at url: URL,
        filename: String? = nil,
        type: MediaType = .octetStream
    ) -> Multipart {
        adding(.init(name, filename ?? url.lastPathComponent, type.rawValue, .file(url)))
    }

    /// The content type, with the boundary.
    var mediaType: MediaType { MediaType("multipart/form-data; boundary=\(form.boundary)") }

    private func adding(_ part: MultipartFormData.Part) -> Multipart {
        var copy = self
        copy.form.parts.append(part)
        return copy
    }

    /// Creates the content; large content is stored in a file that is removed with it.
    func encoded(memoryLimit: Int = 10 << 20) throws(SimpleNetworkingError) -> RequestBody {
        do {
            switch try form.content(memoryLimit: memoryLimit) {
            case .data(let data): return .data(data)
            // The closure owns the file: every attempt can read it, and the file is removed after the last attempt.
            case .file(let file): return .stream(length: file.length) { InputStream(url: file.url) }
            }
        } catch {
            throw .invalidRequest(reason: "its multipart content cannot be sent, since \(error.reason)", nil)
        }
    }
}

extension Multipart: Redacted {
    var shownMembers: KeyValuePairs<String, Any> { ["parts": form.parts.map(\.name)] }
}
