/// Lets the client's `prepare(_:for:)` and the call's own closure change what is sent, and checks the result.
struct PreparationStage: Middleware {
    let plan: RequestPlan
    let execution: Execution
    /// The names of the fields that are not sent already.
    let withheld: [String]

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        execution.prepareAttempt()
        let (prepared, further) = try await plan.prepare(request)
        // User code may not have noticed.
        try Task.checkCancellation()
        execution.countAttempt(prepared.head, withheld: withheld + further)
        return try await next(prepared)
    }
}

/// Holds content that middleware makes itself to the limit of the request, or to the highest that it has sent with.
struct MiddlewareLimitStage: Middleware {
    let destination: ContentDestination
    let limit: Locked<Int>

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        let response = try await next(request)
        // A file or a reader takes a success of any size.
        guard destination.isMemory || !response.isSuccess else { return response }
        try response.check(max(request.maxResponseSize, limit.withLock { $0 }), of: request)
        return response
    }
}

/// Removes header fields that middleware added and the origin must not see.
struct WithholdingStage: Middleware {
    let plan: RequestPlan
    let execution: Execution
    /// The highest limit of the content that was sent.
    let limit: Locked<Int>

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        limit.withLock { $0 = max($0, request.maxResponseSize) }
        var sent = request
        let withheld = plan.withhold(from: &sent)
        if !withheld.isEmpty { execution.record(.withheld(fields: withheld)) }
        return try await next(sent)
    }
}

/// Sends the cookies of the client's jar, and stores those that the response sets, for each redirect separately.
struct CookieStage: Middleware {
    let jar: CookieJar
    /// The jar's generation when the attempt began; its redirects belong to the same user.
    let generation: Int

    init(jar: CookieJar) {
        self.jar = jar
        generation = jar.generation
    }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        var sent = request
        let own = sent.headers["Cookie"]
        let ownNames = (own ?? "").split(separator: ";").map { $0.prefix { $0 != "=" }.trimmed }
        let pairs = jar.cookies(for: sent.url).filter { !ownNames.contains($0.name) }.map(\.pair)
        if !pairs.isEmpty { sent.headers["Cookie"] = (pairs + [own].compactMap { $0 }).joined(separator: "; ") }
        let response = try await next(sent)
        jar.store(response.headers, from: sent.url, since: generation)
        return response
    }
}
