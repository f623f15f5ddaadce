/// Sends the cookies of the client's jar, and stores a response's cookies, separately for each redirect.
struct CookieStage: Middleware {
    let jar: CookieJar
    let execution: Execution
    /// The jar's generation when the attempt began.
    ///
    /// The attempt's redirects belong to the same user.
    let generation: Int

    init(jar: CookieJar, execution: Execution) {
        self.jar = jar
        self.execution = execution
        generation = jar.generation
    }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        // An earlier attempt, or the previous page, may have been the former user's.
        guard execution.belongs(toCookies: generation) else { throw execution.foreignAccount }
        var sent = request
        let own = sent.headers["Cookie"]
        let ownNames = (own ?? "").pieces(between: ";").map { $0.parts(at: "=").before.trimmed }
        let pairs = jar.cookies(for: sent.url, since: generation).filter { !ownNames.contains($0.name) }.map(\.pair)
        if !pairs.isEmpty { sent.headers["Cookie"] = (pairs + [own].compactMap { $0 }).joined(separator: "; ") }
        let response = try await next(sent)
        jar.store(response.headers, from: sent.url, since: generation)
        return response
    }
}
