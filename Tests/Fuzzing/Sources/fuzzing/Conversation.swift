import SimpleNetworkingCaching
import SimpleNetworkingCookies
import SimpleNetworkingOAuth
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Synchronization

/// A few requests on one client, most of them for the same things.
struct Conversation {
    let seed: UInt64
    let number: Int
    let folder: URL

    private static let host = "a.test"

    private enum Kind: CaseIterable {
        case send, head, post, download, pages, lines, events, bytes, typed
    }

    /// Returns what was sent to another origin than the client's, and should not have been.
    func hold() async -> [String] {
        var input = RandomInput(SeededGenerator(seed: seed, path: "\(number)"))
        let count = Mutex(0)
        let server = StubTransport(clock: ImpatientClock())
            .on("*") { request in
                let count = count.withLock { count in
                    count += 1
                    return count
                }
                var input = RandomInput(SeededGenerator(seed: seed, path: "\(number)/\(count)"))
                return input.response(to: request)
            }
        let client = client(server, &input)
        let kinds = input.list(1...6) { $0.pick(Kind.allCases) }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for kind in kinds { await send(kind, client, &input) }
        try? FileManager.default.removeItem(at: folder)
        return server.requests.filter { $0.url.scheme != "https" || $0.url.host != Self.host }.flatMap { request in
            ["Authorization", "X-Key"].compactMap { name in
                request.headers[name].map { "\(name): \($0) to \(request.url)" }
            }
        }
    }

    private func client(_ server: StubTransport, _ input: inout RandomInput) -> SimpleNetworking {
        let signs = input.chance(2)
        let client = SimpleNetworking(host: Self.host) {
            $0.transport = server
            $0.clock = ImpatientClock()
            $0.logger = .silent
            $0.cookieJar = CookieJar()
            $0.cache = ResponseCache(memoryLimit: 64 << 10)
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
            $0.retryPolicy.maxRetryAfter = .infinity
            $0.secretHeaders.insert("X-Key")
            $0.defaultHeaders["X-Key"] = "key-of-the-client"
            guard signs else { return }
            var oauth = OAuthConfiguration(clientID: "app", clientSecret: Secret("app-secret"))
            oauth.tokenEndpoint = URL(string: "https://\(Self.host)/token")
            $0.authenticator = OAuthSession(oauth, unattendedGrant: .clientCredentials) {
                $0.transport = server
                $0.clock = ImpatientClock()
                $0.logger = .silent
            }
        }
        if !signs, input.chance(2) { client.authenticate(with: "ada", password: "lovelace") }
        return client
    }

    private func send(_ kind: Kind, _ client: SimpleNetworking, _ input: inout RandomInput) async {
        let path = input.pick(["/a", "/b"])
        let request = SimpleNetworking.get(path)
        if input.chance(4) { request.header("Range", input.pick(["bytes=2-", "bytes=0-3", "bytes=-4", "lines=1-2"])) }
        if input.chance(4) { request.cachePolicy(input.pick([.revalidate, .onlyCached, .reload, .none])) }
        do {
            switch kind {
            case .send: Face.read(try await client.send(request))
            case .head: Face.read(try await client.send(SimpleNetworking.request(.head, path: path)))
            case .post: Face.read(try await client.send(SimpleNetworking.post(path).body(text: "hello")))
            case .download:
                try await client.download(for: request, to: folder.appendingPathComponent(String(path.dropFirst())))
            case .pages:
                let styles: [PaginationStyle] = [
                    .links(), .linkHeader(total: "X-Total"), .cursor(at: "cursor"), .numbers(), .offset(),
                    .numbers(first: .max, itemsPerPage: .max), .numbers(first: .min), .offset(itemsPerPage: .min),
                ]
                let pages = client.pages(
                    of: Int.self,
                    for: request,
                    style: input.pick(styles),
                    limit: input.pick([.pages(5), .items(.max)])
                )
                var count = 0
                for try await page in pages {
                    _ = "\(page.info)"
                    count += 1
                    if count == 20 { break }
                }
            case .lines: for try await line in client.lines(for: request) where line.isEmpty { break }
            case .events: for try await event in client.events(for: request) where event.data.isEmpty { break }
            case .bytes: for try await piece in client.bytes(for: request) where piece.isEmpty { break }
            case .typed: _ = try await client.send(Request<[Int]>.get(path))
            }
        } catch {
            _ = "\(error)" + error.localizedDescription
        }
        _ = "\(request.trace)" + request.description
    }
}

/// Waits for nothing: delays pass at once, and limits never do.
private struct ImpatientClock: RequestClock {
    var now: TimeInterval { ProcessInfo.processInfo.systemUptime }

    func schedule(
        after seconds: TimeInterval,
        for label: AlarmLabel,
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        if label == .retry || label == .response { DispatchQueue.global().async(execute: work) }
        return {}
    }
}
