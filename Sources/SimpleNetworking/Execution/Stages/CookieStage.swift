/// Sends the cookies of the client's jar, and stores a response's cookies, separately for each redirect.
struct CookieStage: Middleware {
    let jar: CookieJar
    let execution: Execution

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        let contents = jar.contents(for: request.url)
        // The former user may have sent an earlier attempt, or the previous page.
        let isOwn = execution.belongs(toCookieUser: contents.user)
        // A redirected request was carried out, and goes on without cookies.
        guard isOwn || request.isRedirected else { throw execution.foreignAccount }
        guard isOwn else { return try await next(request) }
        var sent = request
        let own = sent.headers["Cookie"]
        let ownNames = (own ?? "").pieces(between: ";").map { $0.parts(at: "=").before.trimmed }
        let pairs = contents.cookies.filter { !ownNames.contains($0.name) }.map(\.pair)
        if !pairs.isEmpty { sent.headers["Cookie"] = (pairs + [own].compactMap { $0 }).joined(separator: "; ") }
        let response = try await next(sent)
        jar.store(response.headers, from: sent.url, since: contents.generation)
        return response
    }
}
