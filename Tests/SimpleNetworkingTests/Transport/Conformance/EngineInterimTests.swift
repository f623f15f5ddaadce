import Foundation
import Testing

@testable import SimpleNetworkingCore

@Suite("Every engine: interim responses", .serialized, .timeLimit(.minutes(5)))
struct EngineInterimTests {
    private static let interim =
        "HTTP/1.1 102 Processing\r\n\r\n"
        + "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"

    @Test(arguments: Engine.allCases)
    func interimResponsesAreEventsInTheirOrder(engine: Engine) async throws {
        let server = try RawServer { _ in
            .raw(
                "HTTP/1.1 100 Continue\r\n\r\n" + Self.interim
                    + "HTTP/1.1 200 OK\r\nX-Final: yes\r\nContent-Length: 2\r\n\r\nok",
                end: .keepAlive
            )
        }
        let request = SimpleNetworking.get("/")
        let response = try await engine.client(server).send(request)
        #expect(response.headers["X-Final"] == "yes" && response.headers["Link"] == nil && response.text == "ok")
        // A caller's session collects the response, and reports nothing before.
        #expect(request.interims == (engine == .callersSession ? [] : ["102 ", "103 </a.css>"]))
    }

    @Test(arguments: Engine.allCases)
    func veryManyInterimResponsesDoNotFillTheMemory(engine: Engine) async throws {
        let server = try RawServer { _ in
            .raw(
                String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 5000)
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                end: .keepAlive
            )
        }
        let request = SimpleNetworking.get("/")
        #expect(try await engine.client(server).send(request).text == "ok")
        #expect(request.interims.count <= 5000)
    }
}

extension SimpleRequest {
    fileprivate var interims: [String] {
        trace.events.compactMap { event in
            guard case .interim(let status, let headers) = event.kind else { return nil }
            return "\(status) \(headers["Link"] ?? "")"
        }
    }
}
