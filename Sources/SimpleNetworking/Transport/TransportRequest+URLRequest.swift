extension TransportRequest {
    /// Makes Foundation's form of the request, after checking what Foundation would send unchecked.
    func makeURLRequest() throws -> URLRequest {
        try head.validate()
        try body.validate(for: head)
        var request = URLRequest(url: url.withLowercasedScheme)
        request.httpMethod = method.rawValue
        // Set at once: six times as fast as one by one, and repeated fields are joined already.
        request.allHTTPHeaderFields = headers.dictionary
        request.timeoutInterval = timeout.spareWholeSeconds
        request.httpShouldHandleCookies = false
        request.cachePolicy = .reloadIgnoringLocalCacheData
        guard !body.isEmpty else { return request }
        if case .data(let data) = body { request.httpBody = data }
        if case .stream(let length, let make) = body {
            guard let stream = make() else { throw NetworkFailure(.unreadableBody, detail: "there is no stream") }
            request.httpBodyStream = stream
            #if canImport(Darwin)
                if let length { request.setValue(String(length), forHTTPHeaderField: "Content-Length") }
            #else
                // FoundationNetworking sends a stream in chunks, and would send both fields.
                _ = length
                request.setValue(nil, forHTTPHeaderField: "Content-Length")
            #endif
        }
        // Foundation would call it a form.
        if !headers.contains("Content-Type") {
            request.setValue(MediaType.octetStream.rawValue, forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}

extension RequestBody {
    /// Tells whether no byte would be sent, as far as that can be told beforehand.
    fileprivate var isEmpty: Bool {
        switch self {
        case .none: true
        case .data(let data): data.isEmpty
        case .file, .stream: false
        }
    }

    fileprivate func validate(for head: RequestHead) throws {
        guard isEmpty || head.method.rawValue.uppercased() != "GET" else {
            throw SimpleNetworkingError.invalidRequest(reason: "URLSession sends no content with GET", head)
        }
        guard case .file(let file) = self else { return }
        guard file.isFileURL, FileManager.default.isReadableFile(atPath: file.path),
            (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true
        else { throw NetworkFailure(.unreadableBody, detail: file.lastPathComponent) }
    }
}

extension TimeInterval {
    /// A time that passes after the client's own, which keeps fractions: FoundationNetworking cuts them off, takes less
    /// than a second as none, and traps on infinity.
    fileprivate var spareWholeSeconds: TimeInterval { isNaN ? 3_600 : Swift.min(Swift.max(rounded(.up) + 5, 6), 1e8) }
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
