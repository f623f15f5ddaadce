import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// Downloads that another user's download has begun.
@Suite(.timeLimit(.minutes(5)))
struct DownloadUserTests {
    /// What tells one user from another.
    enum User: CaseIterable {
        case field, cookie, token
    }

    private let server = StubTransport()
    private let bearer = BearerAuthenticator(token: Secret("ada")) { _ in Secret("ada again") }
    private let jar = CookieJar()

    private func client(_ user: User) -> SimpleNetworking {
        let client = SimpleNetworking(over: server) {
            switch user {
            case .field: $0.defaultHeaders["Authorization"] = "Bearer ada"
            case .cookie: $0.cookieJar = jar
            case .token: $0.authenticator = bearer
            }
        }
        jar.store(["Set-Cookie": "sid=ada; Path=/"], from: client.baseURL)
        return client
    }

    private func change(_ user: User, of client: SimpleNetworking) {
        client.signOut()
        switch user {
        case .field: client.headers["Authorization"] = "Bearer bob"
        case .cookie: jar.store(["Set-Cookie": "sid=bob; Path=/"], from: client.baseURL)
        case .token: bearer.token = Secret("bob")
        }
    }

    /// Each user has a file of their own, of the same date or tag.
    private func serve(_ validator: HTTPHeaders) {
        server.on("/export") { request in
            let proof = (request.headers["Authorization"] ?? "") + (request.headers["Cookie"] ?? "")
            let text = proof.contains("bob") ? "BBBB" : "AAAA"
            var fields = validator
            guard request.headers["Range"] == "bytes=2-", request.headers["If-Range"] != nil else {
                let whole = StubResponse(status: 200, headers: fields, body: Data(text.utf8)).announcing(length: 4)
                return text == "AAAA" ? whole.cut(after: 2) : whole
            }
            fields["Content-Range"] = "bytes 2-3/4"
            return StubResponse(status: 206, headers: fields, body: Data(text.utf8.dropFirst(2)))
        }
    }

    private static let date: HTTPHeaders = [
        "Last-Modified": "Fri, 27 Nov 2026 10:00:00 GMT", "Date": "Fri, 27 Nov 2026 17:00:00 GMT",
    ]

    private func download(to file: URL, on client: SimpleNetworking) async {
        await client.get("/export") { $0.download(to: file) }.ended()
    }

    @Test(arguments: User.allCases)
    func aDateContinuesNoOtherUsersFile(user: User) async throws {
        serve(Self.date)
        let file = try ScratchFile()
        let client = client(user)
        await download(to: file.url, on: client)
        change(user, of: client)
        await download(to: file.url, on: client)
        #expect(file.content == Data("BBBB".utf8))
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=2-", nil])
    }

    @Test(arguments: User.allCases)
    func aDateContinuesTheUsersOwnFile(user: User) async throws {
        serve(Self.date)
        let file = try ScratchFile()
        let client = client(user)
        await download(to: file.url, on: client)
        await download(to: file.url, on: client)
        #expect(file.content == Data("AAAA".utf8))
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=2-"])
    }

    @Test
    func aDateContinuesTheFileOfAUserWhoseTokenWasRefreshed() async throws {
        serve(Self.date)
        server.on("/x") { $0.headers["Authorization"] == "Bearer ada again" ? .json("{}") : .status(401) }
        let file = try ScratchFile()
        let client = client(.token)
        await download(to: file.url, on: client)
        #expect(await client.get("/x").ended().value != nil)
        await download(to: file.url, on: client)
        #expect(server.requests(to: "/export").map { $0.headers["Range"] } == [nil, "bytes=2-"])
    }

    /// A tag names one content of its URL.
    @Test
    func aTagContinuesWhateverTheUser() async throws {
        serve(["ETag": "\"1\""])
        let file = try ScratchFile()
        let client = client(.field)
        await download(to: file.url, on: client)
        change(.field, of: client)
        await download(to: file.url, on: client)
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=2-"])
    }

    @Test
    func aFileOfAnEarlierVersionIsContinued() async throws {
        serve(Self.date)
        let file = try ScratchFile()
        let client = client(.field)
        await download(to: file.url, on: client)
        let sidecar = file.url.appendingPathExtension("partial.json")
        var note = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: sidecar)) as? [String: Any]
        )
        var source = try #require(note["source"] as? [String: Any])
        #expect(source.removeValue(forKey: "account") != nil)
        note["source"] = source
        // In place, because the file's number is noted nowhere.
        try JSONSerialization.data(withJSONObject: note).write(to: sidecar)
        await download(to: file.url, on: client)
        #expect(file.content == Data("AAAA".utf8))
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=2-"])
    }

    /// The user of one execution doesn't change, whatever its responses set.
    @Test
    func theNextAttemptOfADownloadByDateGoesOnAlthoughTheServerSetsACookie() async throws {
        server.on("/film") { request in
            var fields = Self.date
            fields["Set-Cookie"] = "lb=\(UUID().uuidString); Path=/"
            guard request.headers["Range"] == "bytes=2-" else {
                let whole = StubResponse(status: 200, headers: fields, body: Data("AAAA".utf8)).announcing(length: 4)
                return whole.cut(after: 2)
            }
            fields["Content-Range"] = "bytes 2-3/4"
            return StubResponse(status: 206, headers: fields, body: Data("AA".utf8))
        }
        let client = SimpleNetworking(over: server) {
            $0.cookieJar = jar
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
        }
        let file = ScratchFolder().url.appendingPathExtension("film")
        #expect(await client.get("/film") { $0.download(to: file) }.ended().value != nil)
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=2-"])
        #expect(try String(contentsOf: file, encoding: .utf8) == "AAAA")
        try FileManager.default.removeItem(at: file)
    }

    /// Decides for each attempt where it is sent.
    private final class Tenant: SimpleNetworking, @unchecked Sendable {
        let tenant = Locked("a")

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            attempt.url = baseURL.appendingPathComponent(tenant.withLock { $0 } + attempt.url.path)
        }
    }

    /// An entity tag is that of one resource (RFC 9110 §8.8.3).
    @Test(arguments: [false, true])
    func aDownloadGoesOnOnlyWithContentOfTheURLThatAHookChooses(isRedirected: Bool) async throws {
        server.on("*") { request in
            let parts = request.url.path.split(separator: "/").map(String.init)
            if isRedirected, parts.last == "film" { return .redirect(to: "/\(parts[0])/content") }
            let text = String(repeating: parts[0], count: 4)
            var fields: HTTPHeaders = ["ETag": "\"1\""]
            guard request.headers["Range"] == "bytes=2-" else {
                let whole = StubResponse(status: 200, headers: fields, body: Data(text.utf8)).announcing(length: 4)
                return parts[0] == "a" ? whole.cut(after: 2) : whole
            }
            fields["Content-Range"] = "bytes 2-3/4"
            return StubResponse(status: 206, headers: fields, body: Data(text.utf8.dropFirst(2)))
        }
        let client = Tenant(over: server)
        let file = ScratchFolder().url.appendingPathExtension("film")
        await client.get("/film") { $0.download(to: file) }.ended()
        client.tenant.withLock { $0 = "b" }
        #expect(await client.get("/film") { $0.download(to: file) }.ended().value != nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "bbbb")
        try FileManager.default.removeItem(at: file)
    }
}
