/// Builds `multipart/form-data` content (RFC 7578) from fields, data and files.
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
    /// The separator of the parts has letters, digits, `-`, `.` and `_`, at most 70; the default is random.
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

    /// Adds a file from disk, by default under its own name.
    public func file(
        _ name: String,
        at url: URL,
        filename: String? = nil,
        type: MediaType = .octetStream
    ) -> Multipart {
        adding(Part(name: name, filename: filename ?? url.lastPathComponent, type: type, content: .file(url)))
    }

    /// The type of the content, with the boundary.
    var mediaType: MediaType { MediaType("multipart/form-data; boundary=\(boundary)") }

    private func adding(_ part: Part) -> Multipart {
        var form = self
        form.parts.append(part)
        return form
    }
}

extension Multipart {
    /// Larger content is written to a file.
    static let memoryLimit = 10 << 20

    /// Makes the content; a large one is in a file that is removed with it.
    func encoded(memoryLimit: Int = memoryLimit) throws(SimpleNetworkingError) -> RequestBody {
        guard FormData.isBoundary(boundary) else {
            throw refusal("its boundary may hold 1 to 70 letters, digits, “-”, “.” and “_”")
        }
        var length = 0
        for part in parts { length += try size(of: part) }
        do {
            guard length > memoryLimit else {
                var body = Data()
                body.reserveCapacity(length + 256 * (parts.count + 1))
                try write { body.append($0) }
                return .data(body)
            }
            let file = try TemporaryFile()
            try write { try file.append($0) }
            try file.close()
            // The closure owns the file: every attempt can read it, and it is removed after the last one.
            return .stream(length: file.length) { InputStream(url: file.url) }
        } catch {
            throw refusal("its parts could not be put together (\(error))")
        }
    }

    private func write(to output: (Data) throws -> Void) throws {
        for part in parts {
            let head = FormData.head(name: part.name, filename: part.filename, type: part.type?.rawValue)
            try output(Data("--\(boundary)\r\n\(head)\r\n\r\n".utf8))
            switch part.content {
            case .data(let data): try output(data)
            case .file(let url): try copy(url, to: output)
            }
            try output(Data("\r\n".utf8))
        }
        try output(Data("--\(boundary)--\r\n".utf8))
    }

    private func copy(_ url: URL, to output: (Data) throws -> Void) throws {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty { try output(chunk) }
    }

    private func size(of part: Part) throws(SimpleNetworkingError) -> Int {
        guard part.type?.rawValue.utf8.contains(where: URLParts.isControl) != true else {
            throw refusal("the type of its part “\(part.name)” holds a control character")
        }
        switch part.content {
        case .data(let data): return data.count
        case .file(let url):
            let values = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
            guard values?.isRegularFile == true, let size = values?.fileSize else {
                throw refusal("the file for its part “\(part.name)” cannot be read: \(url.path)")
            }
            return size
        }
    }

    private func refusal(_ reason: String) -> SimpleNetworkingError {
        .invalidRequest(reason: "its multipart content cannot be sent, since \(reason)", nil)
    }
}

extension Multipart: Redacted {
    var shownMembers: KeyValuePairs<String, Any> { ["parts": parts.map(\.name)] }
}
