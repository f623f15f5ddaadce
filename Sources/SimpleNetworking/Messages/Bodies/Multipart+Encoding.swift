extension Multipart {
    /// Larger contents are written to a file instead of memory.
    static let memoryLimit = 10 << 20

    /// Makes the content; if that is too large for memory, it lies in a file that goes when the content goes.
    func encoded(memoryLimit: Int = memoryLimit) throws(SimpleNetworkingError) -> RequestBody {
        try checkNames()
        var length = 0
        for part in parts { length += try size(of: part) }
        guard length > memoryLimit else {
            var body = Data()
            body.reserveCapacity(length + 256 * (parts.count + 1))
            try write { body.append($0) }
            return .data(body)
        }
        let file: TemporaryFile
        do { file = try TemporaryFile() } catch { throw refusal("no temporary file could be made (\(error))") }
        try write { try file.append($0) }
        // The stream's maker owns the file: it is there for every attempt, and removed after the last.
        return .stream(length: file.length) { InputStream(url: file.url) }
    }

    private func write(_ output: (Data) throws -> Void) throws(SimpleNetworkingError) {
        do {
            for part in parts {
                try output(Data("--\(boundary)\r\n\(head(of: part))\r\n\r\n".utf8))
                switch part.content {
                case .data(let data): try output(data)
                case .file(let url): try copy(url, to: output)
                }
                try output(Data("\r\n".utf8))
            }
            try output(Data("--\(boundary)--\r\n".utf8))
        } catch {
            throw refusal("its content could not be put together (\(error))")
        }
    }

    private func copy(_ url: URL, to output: (Data) throws -> Void) throws {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty { try output(chunk) }
    }

    private func head(of part: Part) -> String {
        var head = "Content-Disposition: form-data; name=\"\(Self.escaped(part.name))\""
        if let filename = part.filename {
            head += "; filename=\"\(Self.escaped(filename))\""
            // Servers that read the plain form as Latin-1 find the right name here (RFC 8187).
            if filename.utf8.contains(where: { $0 > 0x7F }) {
                head += "; filename*=UTF-8''" + PercentEncoding.encode(filename, keeping: Self.attributeBytes)
            }
        }
        if let type = part.type { head += "\r\nContent-Type: \(type)" }
        return head
    }

    private func size(of part: Part) throws(SimpleNetworkingError) -> Int {
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

    private func checkNames() throws(SimpleNetworkingError) {
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy(Self.boundaryBytes.contains) else {
            throw refusal("its boundary may hold 1 to 70 letters, digits, “-”, “.” and “_”")
        }
        for part in parts where part.type?.rawValue.utf8.contains(where: AddressParts.isControl) == true {
            throw refusal("the type of its part “\(part.name)” holds a control character")
        }
    }

    private func refusal(_ reason: String) -> SimpleNetworkingError {
        .invalidRequest(reason: "its multipart content cannot be sent, since \(reason)", nil)
    }

    /// Quotes and line breaks would end the name (WHATWG HTML, multipart/form-data encoding algorithm).
    private static func escaped(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D }) else { return name }
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
    private static let boundaryBytes = ByteSet.lettersAndDigits.union(ByteSet("-._"))
}
