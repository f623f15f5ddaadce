import Foundation
import Testing

@testable import SimpleNetworkingCore

@Suite("Every engine refuses what must not be sent", .serialized, .timeLimit(.minutes(5)))
struct EngineRefusalTests {
    static let badFields: [HTTPHeaders] = [
        ["X-A": "b\r\nX-Evil: 1"], ["X-A": "b\nX-Evil: 1"], ["X-A": "a\r\n X-Evil: 1"], ["X-A": "b\u{0}c"],
        ["X-A": "b\rc"], ["X-A: b\r\nX-Evil": "1"], ["X-A\r\nX-Evil": "1"], ["X\u{0}": "1"], ["X A": "b"], ["": "b"],
        ["X-A:": "b"], ["X:A": "b"], ["Ümlaut": "b"],
    ]

    @Test(arguments: Engine.allCases, badFields)
    func headersThatCouldAddOthers(engine: Engine, headers: HTTPHeaders) async throws {
        let server = try RawServer { .echo($0) }
        let end = try await engine.transport().end(of: server.url()) { $0.head.headers = headers }
        #expect(end == "invalidRequest")
        #expect(server.log.opened == 0)
    }

    @Test(arguments: Engine.allCases, ["", "GET / HTTP/1.1\r\nX-Evil: 1\r\n", "M SEARCH", "GÉT", "A\u{0}"])
    func methodsThatAreNoTokens(engine: Engine, method: String) async throws {
        let server = try RawServer { .echo($0) }
        let end = try await engine.transport().end(of: server.url()) { $0.method = HTTPMethod(rawValue: method) }
        #expect(end == "invalidRequest")
        #expect(server.log.opened == 0)
    }

    @Test(
        arguments: Engine.allCases,
        [
            "data:text/plain,x", "file:///etc/hosts", "ftp://127.0.0.1/x", "gopher://a/", "dict:a", "mailto:a@b.c",
            "http:///x", "http://:80/", "relative", "/x",
        ]
    )
    func urlsThatAreNotHTTP(engine: Engine, address: String) async throws {
        let url = try #require(URL(string: address))
        #expect(try await engine.transport().end(of: url) == "invalidURL")
    }

    /// Longer than any name may be (RFC 1035 §2.3.4); older versions of libcurl wrote such a one past a buffer.
    @Test(arguments: Engine.allCases)
    func hostsThatAreTooLong(engine: Engine) async throws {
        let name = Array(repeating: String(repeating: "a", count: 63), count: 4).joined(separator: ".")
        for host in [name + "b", String(repeating: "a", count: 256), String(repeating: "a", count: 66_000)] {
            let url = try #require(URL(string: "http://\(host):80/"))
            #expect(try await engine.transport().end(of: url) == "invalidURL")
        }
    }
}
