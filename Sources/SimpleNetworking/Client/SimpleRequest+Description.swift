extension SimpleRequest {
    /// Returns a curl command for `sh` that sends what the request would send; nothing is sent.
    ///
    /// ```text
    /// curl \
    ///   -X 'POST' \
    ///   'https://api.example.com/notes' \
    ///   -H 'Authorization: ‹secret›' \
    ///   -H 'User-Agent: App/2.1' \
    ///   -H 'Content-Type: application/json' \
    ///   --data-raw '{"text":"it'\''s late"}'
    /// ```
    ///
    /// Everything is quoted, so that no part of a request can become a command. The client's hooks are called, and its
    /// authenticator signs; the jar's cookies and changes by middleware are missing. Files are named; a stream has to be
    /// piped in. Credentials are hidden as in a log unless `showsSecrets` is true, which the command needs to work.
    ///
    /// - Throws: `SimpleNetworkingError` for a request that can't be sent, or the error of a hook or an authenticator.
    nonisolated public func curl(on client: SimpleNetworking, showsSecrets: Bool = false) async throws -> String {
        let request = try await client.signed(self)
        let text = CurlCommand(head: request.head, body: request.body, showsSecrets: showsSecrets).text
        return showsSecrets ? text : client.memory.hide(in: text)
    }

    /// Describes what would be sent, and which handlers would run for a status, in order; nothing is sent.
    ///
    /// ```text
    /// GET https://api.example.com/user
    /// Accept: application/json
    /// User-Agent: App/2.1 SimpleNetworking/1.0.0 (iOS 18.2)
    ///
    /// Status 401, as long as each handler for it returns true:
    /// 1. handler for status 401 (App/Login.swift:12)
    /// 2. handler for error (App/Login.swift:14)
    /// ```
    ///
    /// Handlers that the client's `execute(request:)` would add are not among them. Secrets are hidden; for a request
    /// that can't be sent, the text has the reason.
    nonisolated public func explain(status: Int, on client: SimpleNetworking) async -> String {
        var lines: [String] = []
        do {
            let request = try await client.signed(self)
            lines = [request.head.description] + request.head.headers.map { "\($0.name): \(Redaction.text(of: $0))" }
        } catch {
            lines = ["\(self) would not be sent. \(error)"]
        }
        let acceptable = specification.acceptableStatuses ?? client.configuration.acceptableStatuses
        let handlers = handlers(for: status, isSuccess: acceptable.contains(status))
        lines += ["", "Status \(status), as long as each handler for it returns true:"]
        lines += handlers.enumerated().map { "\($0 + 1). \($1)" }
        if handlers.isEmpty { lines.append("no handler would run") }
        return client.memory.hide(in: lines.joined(separator: "\n"))
    }

    private func handlers(for status: Int, isSuccess: Bool) -> [String] {
        let handlers = state.withLock { $0.handlers }
        let atStatus = handlers.filter { $0.waits(forStatus: status) }
        let atPage = isSuccess ? handlers.filter(\.takesPages) : []
        let atEnd = handlers.filter { $0.kind == (isSuccess ? .success : .error) }
        return (atStatus + atPage + atEnd + handlers.filter(\.isCompletion)).map { handler in
            "handler for \(handler.kind) (\(handler.fileID):\(handler.line))"
        }
    }
}

extension SimpleNetworking {
    /// What would be sent, with the authenticator's credential, if it has one.
    fileprivate func signed(_ request: SimpleRequest) async throws -> TransportRequest {
        let prepared = try await makeRequest(for: request)
        guard let authenticator = configuration.authenticator, trusts(prepared.url) else { return prepared }
        return try await prepared.signed(by: authenticator)
    }
}
