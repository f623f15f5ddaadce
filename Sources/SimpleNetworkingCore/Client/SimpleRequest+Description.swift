import SimpleNetworkingSupport

extension SimpleRequest {
    /// Returns a curl command for `sh` that would send the request, without sending it.
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
    /// All values are quoted, so that `sh` can't run any part of a request as a command. This method calls the client's
    /// hooks, and the client's authenticator signs the request. The command doesn't include cookies from the jar or
    /// changes by middleware. If the body is a file, the command contains the file's path. If the body is a stream, you
    /// have to pipe its content into the command. Credentials are hidden, as in a log, unless `showsSecrets` is true.
    /// If the request needs credentials, the command works only if it shows them.
    ///
    /// - Throws: `SimpleNetworkingError` if the request can't be sent, or the error that a hook or an authenticator
    ///   throws.
    nonisolated public func curl(on client: SimpleNetworking, showsSecrets: Bool = false) async throws -> String {
        let request = try await client.signed(self)
        let memory = showsSecrets ? nil : client.memory
        return CurlCommand(head: request.head, body: request.body, memory: memory).text
    }

    /// Returns a description of the request, and of the handlers that would run for the given status, in order.
    ///
    /// ```text
    /// GET https://api.example.com/user
    /// Accept: */*;q=0.5, application/json
    /// User-Agent: App/2.1 SimpleNetworking/1.0.0 (iOS 18.2)
    ///
    /// Status 401, as long as each handler for it returns true:
    /// 1. handler for status 401 (App/Login.swift:12)
    /// 2. handler for error (App/Login.swift:14)
    /// ```
    ///
    /// This method sends nothing. The description doesn't include handlers that the client's `execute(request:)` would
    /// add. Secrets are hidden. If the request can't be sent, the description contains the reason.
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
        let atFollowUp = isSuccess ? handlers.filter(\.decidesFollowUp) : []
        let atEnd = handlers.filter { $0.kind == (isSuccess ? .success : .error) }
        return (atStatus + atFollowUp + atEnd + handlers.filter(\.isCompletion)).map { handler in
            "handler for \(handler.kind) (\(handler.fileID):\(handler.line))"
        }
    }
}

extension SimpleNetworking {
    /// Returns the request that would be sent, signed by the authenticator if there is one.
    fileprivate func signed(_ request: SimpleRequest) async throws -> TransportRequest {
        let prepared = try await makeRequest(for: request)
        guard let authenticator = configuration.authenticator, trusts(prepared.url) else { return prepared }
        return try await prepared.signed(by: authenticator)
    }
}
