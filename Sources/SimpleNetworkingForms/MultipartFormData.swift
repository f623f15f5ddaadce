import SimpleNetworkingFeatureSupport

/// Writes `multipart/form-data` content (RFC 7578).
struct MultipartFormData: Sendable {
    /// Where the bytes of a part come from.
    enum Source: Sendable {
        case data(Data)
        case file(URL)
        /// A stream that is opened each time the content is sent; the length is in bytes, or nil if unknown.
        case stream(length: Int?, open: @Sendable () -> (any ContentStream)?)
    }

    struct Part: Sendable {
        let name: String
        let filename: String?
        let type: String?
        /// The part's own header fields.
        let fields: [(name: String, value: String)]
        let source: Source

        init(
            name: String,
            filename: String?,
            type: String?,
            fields: [(name: String, value: String)] = [],
            source: Source
        ) {
            self.name = name
            self.filename = filename
            self.type = type
            self.fields = fields
            self.source = source
        }
    }

    /// A piece of the content: what stands between two parts, or the bytes of a part.
    struct Piece: Sendable {
        /// What the piece is, for errors.
        let name: String
        let source: Source
        /// The number of bytes; nil if unknown.
        let length: Int?

        var isStream: Bool { if case .stream = source { true } else { false } }
    }

    let boundary: String
    var parts: [Part] = []

    init(boundary: String) { self.boundary = boundary }

    /// Returns the pieces of the content, in order, with the sizes that files have now.
    func pieces() throws(UnwritableContent) -> [Piece] {
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy(Self.boundaryBytes.contains) else {
            throw UnwritableContent(reason: "its boundary may hold 1 to 70 letters, digits, “-”, “.” and “_”")
        }
        var pieces: [Piece] = []
        var between = ""
        for part in parts {
            try part.validate()
            pieces.append(.text("\(between)--\(boundary)\r\n\(part.head)\r\n\r\n"))
            pieces.append(try part.content())
            between = "\r\n"
        }
        pieces.append(.text("\(between)--\(boundary)--\r\n"))
        return pieces
    }

    private static let boundaryBytes = ByteSet.lettersAndDigits.union(ByteSet("-._"))
}

extension MultipartFormData.Piece {
    fileprivate static func text(_ text: String) -> Self {
        let data = Data(text.utf8)
        return Self(name: "boundary", source: .data(data), length: data.count)
    }
}

extension MultipartFormData.Part {
    fileprivate func content() throws(UnwritableContent) -> MultipartFormData.Piece {
        let length: Int?
        switch source {
        case .data(let data): length = data.count
        case .stream(let known, _): length = known
        case .file(let url):
            // Not the URL's own values, which may be outdated.
            guard let status = try? SystemFiles.status(of: url.path), status.isFile else {
                let reason = "the file for its part “\(name)” cannot be read: \(url.path)"
                throw UnwritableContent(reason: reason)
            }
            length = status.size
        }
        return MultipartFormData.Piece(name: "part “\(name)”", source: source, length: length)
    }

    fileprivate func validate() throws(UnwritableContent) {
        try Self.checkControls(in: name, of: "the name of a part")
        if let filename { try Self.checkControls(in: filename, of: "the file name of its part “\(name)”") }
        if type?.contains(anyOf: .controls) == true {
            throw UnwritableContent(reason: "the type of its part “\(name)” holds a control character")
        }
        for (field, value) in fields {
            guard field.isToken, !value.contains(anyOf: .controls) else {
                throw UnwritableContent(reason: "“\(field)” of its part “\(name)” is not a valid header field")
            }
            let reserved = ["Content-Disposition", "Content-Type"]
            guard !reserved.contains(where: { field.isSameFieldName(as: $0) }) else {
                let reason = "its part “\(name)” has a header field “\(field)”, which its name and type provide"
                throw UnwritableContent(reason: reason)
            }
        }
    }

    /// Rejects control characters, which readers drop or refuse, apart from line breaks, which are escaped.
    private static func checkControls(in text: String, of place: String) throws(UnwritableContent) {
        guard text.contains(anyOf: controls) else { return }
        throw UnwritableContent(reason: "\(place) holds a control character")
    }

    private static let controls = ByteSet.controls.subtracting("\r\n")

    /// The header fields, without the empty line after them.
    fileprivate var head: String {
        var head = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let filename {
            // Never also as `filename*` (RFC 7578 §4.2).
            head += "; filename=\"\(Self.escaped(filename))\""
        }
        if let type { head += "\r\nContent-Type: \(type)" }
        for (field, value) in fields { head += "\r\n\(field): \(value)" }
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
}
