/// Writes `multipart/form-data` content (RFC 7578).
package struct MultipartFormData: Sendable {
    package struct Part: Sendable {
        package enum Content: Sendable {
            case data(Data)
            case file(URL)
        }

        package let name: String
        let filename: String?
        let type: String?
        let content: Content

        package init(_ name: String, _ filename: String?, _ type: String?, _ content: Content) {
            self.name = name
            self.filename = filename
            self.type = type
            self.content = content
        }
    }

    package enum Content {
        case data(Data)
        /// Large content in a file, which is removed with its last reference.
        case file(TemporaryFile)
    }

    package let boundary: String
    package var parts: [Part] = []

    package init(boundary: String) { self.boundary = boundary }

    /// Creates the content, in memory up to a number of bytes.
    package func content(memoryLimit: Int) throws(UnwritableContent) -> Content {
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy(Self.boundaryBytes.contains) else {
            throw UnwritableContent(reason: "its boundary may hold 1 to 70 letters, digits, “-”, “.” and “_”")
        }
        var length = 0
        for part in parts { length = length.addingSaturated(try size(of: part)) }
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
            return .file(file)
        } catch {
            throw UnwritableContent(reason: "its parts could not be put together (\(error))")
        }
    }

    private func size(of part: Part) throws(UnwritableContent) -> Int {
        if part.type?.contains(anyOf: .controls) == true {
            throw UnwritableContent(reason: "the type of its part “\(part.name)” holds a control character")
        }
        switch part.content {
        case .data(let data): return data.count
        case .file(let url):
            let values = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
            guard values?.isRegularFile == true, let size = values?.fileSize else {
                let reason = "the file for its part “\(part.name)” cannot be read: \(url.path)"
                throw UnwritableContent(reason: reason)
            }
            return size
        }
    }

    private func write(to output: (Data) throws -> Void) throws {
        for part in parts {
            try output(Data("--\(boundary)\r\n\(part.head)\r\n\r\n".utf8))
            switch part.content {
            case .data(let data): try output(data)
            case .file(let url):
                let file = try FileHandle(forReadingFrom: url)
                defer { try? file.close() }
                while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty { try output(chunk) }
            }
            try output(Data("\r\n".utf8))
        }
        try output(Data("--\(boundary)--\r\n".utf8))
    }

    private static let boundaryBytes = ByteSet.lettersAndDigits.union(ByteSet("-._"))
}

extension MultipartFormData.Part {
    /// The header fields, without the empty line after them.
    fileprivate var head: String {
        var head = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let filename {
            head += "; filename=\"\(Self.escaped(filename))\""
            // For servers that read the plain form as Latin-1 (RFC 8187).
            if filename.utf8.contains(where: { $0 > 0x7F }) {
                head += "; filename*=UTF-8''" + PercentEncoding.encode(filename, keeping: Self.attributeBytes)
            }
        }
        if let type { head += "\r\nContent-Type: \(type)" }
        return head
    }

    /// Escapes quotes and line breaks, which would end the name (WHATWG HTML, multipart/form-data encoding algorithm).
    private static func escaped(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": escaped += "%22"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let attributeBytes = ByteSet.lettersAndDigits.union(ByteSet("!#$&+-.^_`|~"))
}
