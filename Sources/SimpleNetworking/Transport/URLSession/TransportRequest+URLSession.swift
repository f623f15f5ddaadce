extension TransportRequest {
    /// Makes a `URLRequest`, after validating what Foundation would send unchecked.
    ///
    /// `isForMock` if a subclass of `URLSession` or a protocol class receives it, which may read the body.
    func makeURLRequest(isForMock: Bool) throws -> URLRequest {
        try head.validate()
        try body.validate(for: head)
        var request = URLRequest(url: url.withLowercasedScheme)
        request.httpMethod = method.rawValue
        // Foundation's is an idle timeout; the client's own for the whole attempt ends first.
        request.timeoutInterval = idleTimeout?.wholeSeconds ?? (timeout + 5).wholeSeconds
        request.httpShouldHandleCookies = false
        request.cachePolicy = .reloadIgnoringLocalCacheData
        var fields = headers.withTrimmedValues
        // Framing is up to the transport: a wrong length hangs, or cuts the content.
        fields["Content-Length"] = nil
        fields["Transfer-Encoding"] = nil
        if !body.isEmpty {
            // Foundation would add the type of a form.
            if !fields.contains("Content-Type") { fields["Content-Type"] = MediaType.octetStream.rawValue }
            try set(body, of: &request, framedBy: &fields, isForMock: isForMock)
        }
        #if !canImport(Darwin)
            // libcurl underneath repeats a 417 without end, keeps a connection whose content it has not sent, and adds
            // the field by itself to long content. A blank value keeps it from doing so.
            if !isForMock, !body.isEmpty || fields.contains("Expect") { fields["Expect"] = " " }
        #endif
        // Six times as fast as one by one; repeated fields are joined already.
        request.allHTTPHeaderFields = fields.dictionary
        return request
    }

    private func set(
        _ body: RequestBody,
        of request: inout URLRequest,
        framedBy fields: inout HTTPHeaders,
        isForMock: Bool
    ) throws {
        #if canImport(Darwin)
            let canSendAgain = true
        #else
            // When a kept connection was closed, FoundationNetworking sends the content again only of streams; of data
            // and files nothing is left then, and the request would hang.
            let canSendAgain = isForMock
        #endif
        if canSendAgain, case .data(let data) = body {
            request.httpBody = data
            return
        }
        guard let stream = body.newStream else { throw NetworkFailure(.unreadableBody, detail: "there is no stream") }
        request.httpBodyStream = stream
        fields["Content-Length"] = body.length.map(String.init)
        #if !canImport(Darwin)
            // FoundationNetworking sends every stream in chunks, unless this field is blank.
            fields["Transfer-Encoding"] = body.length.map { _ in " " }
        #endif
    }

    /// Writes content that comes in pieces to a file; nil for any other content.
    ///
    /// - Throws: What the sequence of the pieces throws; `NetworkFailure` with `.unreadableBody` if it has another
    ///   length than the request says.
    func collectChunks() async throws -> TemporaryFile? {
        guard case .chunks(let length, let chunks) = body else { return nil }
        if chunks.trailers != nil {
            throw SimpleNetworkingError.invalidRequest(reason: "URLSession sends no trailers", head)
        }
        let file = try TemporaryFile()
        for try await chunk in chunks { try file.append(chunk) }
        try file.close()
        guard length == nil || length == file.length else {
            throw NetworkFailure(.unreadableBody, detail: "it has \(file.length) bytes")
        }
        return file
    }
}

extension RequestBody {
    /// A fresh stream of the content; nil if there is none or it can't be read.
    var newStream: InputStream? {
        switch self {
        case .none: nil
        case .data(let data): InputStream(data: data)
        case .file(let file): InputStream(url: file)
        case .stream(_, let make): make()
        // They are in a file by now.
        case .chunks: nil
        }
    }

    var length: Int? {
        switch self {
        case .none: 0
        case .data(let data): data.count
        case .file(let file):
            ((try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? NSNumber)
                .map { Int(clamping: $0.int64Value) }
        case .stream(let length, _), .chunks(let length, _): length
        }
    }

    fileprivate var isEmpty: Bool { length == 0 }

    fileprivate func validate(for head: RequestHead) throws {
        let method = head.method.rawValue.uppercased()
        guard isEmpty || (method != "GET" && method != "HEAD") else {
            throw SimpleNetworkingError.invalidRequest(reason: "URLSession sends no content with \(method)", head)
        }
        guard case .file(let file) = self else { return }
        guard file.isFileURL, FileManager.default.isReadableFile(atPath: file.path),
            (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true
        else { throw NetworkFailure(.unreadableBody, detail: file.lastPathComponent) }
    }
}

extension HTTPHeaders {
    /// Blanks around a value are no part of it (RFC 9110 §5.5).
    fileprivate var withTrimmedValues: HTTPHeaders {
        HTTPHeaders(
            fields: fields.map { field in
                var field = field
                field.value = field.value[...].trimmed
                return field
            }
        )
    }
}
