import SimpleNetworkingSupport

extension TransportRequest {
    /// Creates a `URLRequest`, after validating values that Foundation would send without checking them.
    ///
    /// Set `isForMock` if a subclass of `URLSession` or a protocol class, which may read the body, receives the
    /// request.
    package func makeURLRequest(isForMock: Bool) throws -> URLRequest {
        try head.validate()
        try body.validate(for: head)
        var request = URLRequest(url: url.withLowercasedScheme)
        request.httpMethod = method.rawValue
        // Foundation's timeout is an idle timeout; the client's own limit for the whole attempt ends first.
        request.timeoutInterval = idleTimeout?.wholeSeconds ?? (timeout + 5).wholeSeconds
        request.httpShouldHandleCookies = false
        request.cachePolicy = .reloadIgnoringLocalCacheData
        var fields = headers.withTrimmedValues
        // The transport decides the framing: a wrong length would hang the request or truncate the content.
        fields["Content-Length"] = nil
        fields["Transfer-Encoding"] = nil
        if !body.isEmpty {
            // Otherwise, Foundation would add the content type of a form.
            if !fields.contains("Content-Type") { fields["Content-Type"] = MediaType.octetStream.rawValue }
            try set(body, of: &request, framedBy: &fields, isForMock: isForMock)
        }
        #if !canImport(Darwin)
            // The underlying libcurl repeats a 417 endlessly, reuses a connection whose content it has not sent, and
            // adds the field itself for long content. A blank value prevents that.
            if !isForMock, !body.isEmpty || fields.contains("Expect") { fields["Expect"] = " " }
        #endif
        // Six times as fast as setting them one by one; repeated fields are already joined.
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
            // When a reused connection was closed, FoundationNetworking resends content only from streams. Of data and
            // files nothing is left, and the request would hang.
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
            // FoundationNetworking sends every stream in chunks unless this field is blank.
            fields["Transfer-Encoding"] = body.length.map { _ in " " }
        #endif
    }

    /// Writes content that arrives in pieces to a file.
    ///
    /// Returns nil for any other content.
    ///
    /// - Throws: The error thrown by the sequence of pieces, or `NetworkFailure` with `.unreadableBody` if the
    ///   content's length differs from the request's length.
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
    /// A new stream of the content; nil if there is no content, or if the content can't be read.
    var newStream: InputStream? {
        switch self {
        case .none: nil
        case .data(let data): InputStream(data: data)
        case .file(let file): InputStream(url: file)
        case .stream(_, let make): make().flatMap(InputStream.make)
        // By now, the chunks are in a file.
        case .chunks: nil
        }
    }
}

extension InputStream: ContentStream {
    /// Returns a stream that Foundation can read, which knows only its own.
    fileprivate static func make(of stream: any ContentStream) -> InputStream? {
        switch stream {
        case let stream as InputStream: return stream
        case let file as FileStream:
            let stream = InputStream(url: file.url)
            return stream?.setProperty(NSNumber(value: file.offset), forKey: .fileCurrentOffsetKey) == true
                ? stream : nil
        default: return Data(reading: stream).map { InputStream(data: $0) }
        }
    }
}

extension HTTPHeaders {
    /// The fields without whitespace around their values.
    ///
    /// Such whitespace isn't part of a value (RFC 9110 §5.5).
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
