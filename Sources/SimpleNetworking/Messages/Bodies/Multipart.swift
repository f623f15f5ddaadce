/// Gathers the parts of a `multipart/form-data` content (RFC 7578): fields, data and files.
///
/// ```swift
/// let form = Multipart().field("title", "Sunset").file("photo", at: photoURL, type: "image/jpeg")
/// ```
///
/// Files are read when the request is sent. Up to 10 MB are sent from memory, more from disk.
public struct Multipart: Sendable {
    struct Part: Sendable {
        enum Content: Sendable {
            case data(Data)
            case file(URL)
        }

        let name: String
        let filename: String?
        let type: MediaType?
        let content: Content
    }

    let boundary: String
    private(set) var parts: [Part] = []

    /// Makes an empty form.
    ///
    /// - Parameter boundary: What separates the parts: letters, digits, `-`, `.` and `_`, at most 70. The default is a
    ///   fresh random one.
    public init(boundary: String? = nil) { self.boundary = boundary ?? "SimpleNetworking-" + UUID().uuidString }

    /// Adds a field of text.
    public func field(_ name: String, _ text: String) -> Multipart {
        adding(Part(name: name, filename: nil, type: nil, content: .data(Data(text.utf8))))
    }

    /// Adds bytes, as a file if it has a name.
    public func data(
        _ name: String,
        _ data: Data,
        filename: String? = nil,
        type: MediaType = .octetStream
    ) -> Multipart {
        adding(Part(name: name, filename: filename, type: type, content: .data(data)))
    }

    /// Adds a file from disk, under its own name if no other is given.
    public func file(
        _ name: String,
        at url: URL,
        filename: String? = nil,
        type: MediaType = .octetStream
    ) -> Multipart {
        adding(Part(name: name, filename: filename ?? url.lastPathComponent, type: type, content: .file(url)))
    }

    /// The type of the content, with the boundary.
    public var mediaType: MediaType { MediaType("multipart/form-data; boundary=\(boundary)") }

    private func adding(_ part: Part) -> Multipart {
        var form = self
        form.parts.append(part)
        return form
    }
}

extension Multipart: CustomReflectable {
    /// Shows the names of the parts to `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["parts": parts.map(\.name)], displayStyle: .struct) }
}
