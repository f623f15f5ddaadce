import Foundation
import Testing

@testable import SimpleNetworkingCore

// MARK: Methods and statuses

extension HTTPAPIProposalTests {
    @Test(arguments: Engine.allCases)
    func testOk(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in .response() }
            let client = try client(engine, server)
            let methods: [HTTPMethod] = [.head, .get, .put, .post, .delete]
            for method in methods {
                let response = try await client.send(SimpleNetworking.request(method, path: "/200"))
                #expect(response.httpStatus == 200)
                #expect(response.data.isEmpty)
                #expect(response.trailers.isEmpty)
            }
            #expect(server.requests.map(\.method) == methods.map(\.rawValue))
        }
    }

    @Test(arguments: Engine.allCases)
    func testHeadWithContentLength(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in .response(data: Data(count: 1000)) }
            let response = try await client(engine, server).send(SimpleNetworking.head("/"))
            #expect(response.httpStatus == 200)
            #expect(response.headers["Content-Length"] == "1000")
            #expect(response.data.isEmpty)
            #expect(response.trailers.isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func testNotFound(engine: Engine) async throws {
        try await play(on: engine) { try await expectStatus(404, engine) }
    }

    @Test(arguments: Engine.allCases)
    func testStatusOutOfRangeButValid(engine: Engine) async throws {
        try await play(on: engine) { try await expectStatus(999, engine) }
    }

    private func expectStatus(_ status: Int, _ engine: Engine) async throws {
        let server = try RawServer { _ in .response(status: status) }
        let response = try await client(engine, server).send(SimpleNetworking.get("/\(status)"))
        #expect(response.httpStatus == status)
        #expect(response.data.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func testGetConvenience(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { .response(body: $0.method) }
            let response = try await client(engine, server).data(for: Request<Data>(url: server.url("/request")))
            #expect(response.httpStatus == 200)
            #expect(response.value == Data("GET".utf8))
            #expect(server.requests.map(\.text) == [""])
        }
    }

    @Test(arguments: Engine.allCases)
    func testPostConvenience(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { .response(body: "\($0.method) \($0.text)") }
            let request = Request<Data>(url: server.url("/request"), method: .post, body: Data("Hello World".utf8))
            let response = try await client(engine, server).data(for: request)
            #expect(response.httpStatus == 200)
            #expect(response.value == Data("POST Hello World".utf8))
        }
    }

    @Test(arguments: Engine.allCases)
    func testStressTest(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { .response(body: $0.target) }
            let client = try client(engine, server)
            let targets = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await client.send(SimpleNetworking.get("/request?\(number)")).text
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(targets == Set((0..<100).map { "/request?\($0)" }))
        }
    }
}

// MARK: Fields and URLs

extension HTTPAPIProposalTests {
    @Test(arguments: Engine.allCases)
    func testCustomHeader(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in .response() }
            let request = SimpleNetworking.post("/request").header("X-Foo", "BARbaz").body(text: "Hello World")
            #expect(try await client(engine, server).send(request).httpStatus == 200)
            #expect(server.requests.map { $0[header: "X-Foo"] } == ["BARbaz"])
        }
    }

    @Test(arguments: Engine.allCases)
    func testClientSendsEmptyHeaderValue(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in .response() }
            let request = SimpleNetworking.post("/request").header("X-Test", "")
            #expect(try await client(engine, server).send(request).httpStatus == 200)
            #expect(server.requests.map { $0[header: "X-Test"] } == [""])
        }
    }

    /// Whether one field or two name the values is left to the client.
    @Test(arguments: Engine.allCases)
    func testClientSendsMultiValueHeader(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in .response() }
            try await client(engine, server).send(Request<Void>.get("/request")) {
                $0.headers.append("X-Test", "one")
                $0.headers.append("X-Test", "two")
            }
            let value = try #require(server.requests.first?[header: "X-Test"])
            #expect(value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } == ["one", "two"])
        }
    }

    @Test(arguments: Engine.allCases)
    func testServerSendsMultiValueHeader(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in .response(headers: ["X-Test": "one", "X-Test": "two"]) }
            let response = try await client(engine, server).send(SimpleNetworking.get("/"))
            #expect(response.httpStatus == 200)
            #expect(response.headers["X-Test"] == "one, two")
        }
    }

    @Test(arguments: Engine.allCases)
    func testURLParams(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in .response() }
            let pairs = [("foo", "bar"), ("bar", "baz"), ("baz", "qux"), ("qux", ""), ("foo", "phew")]
            _ = try await client(engine, server).send(SimpleNetworking.get("/request", query: Query(pairs)))
            #expect(server.requests.map(\.query) == ["foo=bar&bar=baz&baz=qux&qux=&foo=phew"])
        }
    }
}
