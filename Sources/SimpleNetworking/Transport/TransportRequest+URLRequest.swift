extension TransportRequest {
    /// Makes Foundation's form of the request, after checking what Foundation would send unchecked.
    ///
    /// - Parameter isForMock: Whether a subclass of `URLSession` or a protocol class gets it, which may want to look at
    ///   the content.
    /// - Returns: The request, with a fresh stream if its content is sent as one.
    /// - Throws: What is wrong with it, as `SimpleNetworkingError` or `NetworkFailure`.
    func makeURLRequest(isForMock: Bool) throws -> URLRequest {
        try head.validate()
        try body.validate(for: head)
        if case .file = sink {
            throw SimpleNetworkingError.invalidRequest(reason: "URLSessionTransport writes no files", head)
        }
        var request = URLRequest(url: url.withLowercasedScheme)
        request.httpMethod = method.rawValue
        // Foundation counts pauses; of the whole time the client keeps count, and comes first.
        request.timeoutInterval = idleTimeout?.wholeSeconds ?? (timeout + 5).wholeSeconds
        request.httpShouldHandleCookies = false
        request.cachePolicy = .reloadIgnoringLocalCacheData
        var fields = headers
        // How content is framed is the engine's business: a wrong length hangs, or cuts the content.
        fields["Content-Length"] = nil
        fields["Transfer-Encoding"] = nil
        if !body.isEmpty {
            // Foundation would call it a form.
            if !fields.contains("Content-Type") { fields["Content-Type"] = MediaType.octetStream.rawValue }
            try set(body, of: &request, framedBy: &fields, isForMock: isForMock)
        }
        #if !canImport(Darwin)
            // libcurl underneath repeats a 417 without end, and keeps a connection whose content it has not sent. It would
            // also ask by itself before it sends much; it takes a field of blanks as a word against that.
            if !isForMock, !body.isEmpty || fields.contains("Expect") { fields["Expect"] = " " }
        #endif
        // All at once is six times as fast as one by one, and repeated fields are joined already.
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
            // When a kept connection turns out to be closed, FoundationNetworking sends the content once more, but only
            // that of streams: of data and files nothing is left then, and the request would hang.
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
            // FoundationNetworking wants to send every stream in chunks. libcurl takes a field of blanks as none, and as
            // a word against chunks.
            fields["Transfer-Encoding"] = body.length.map { _ in " " }
        #endif
    }
}

extension RequestBody {
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

extension TimeInterval {
    /// Rounds up: FoundationNetworking cuts fractions off, takes less than a second as none, and traps on infinity.
    fileprivate var wholeSeconds: TimeInterval { isNaN ? 3_600 : Swift.min(Swift.max(rounded(.up), 1), 1e8) }
}

extension URL {
    /// FoundationNetworking does not know `HTTP://`.
    fileprivate var withLowercasedScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.scheme = scheme.lowercased()
        return components?.url ?? self
    }
}
