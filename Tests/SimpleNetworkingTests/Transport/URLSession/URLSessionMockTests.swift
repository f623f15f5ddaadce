import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("URLSessionTransport with a mocked session", .timeLimit(.minutes(5)))
struct URLSessionMockTests {
    @Test
    func subclassOverridingDataTaskReceivesTheRequest() async throws {
        let session = MockSession { request in
            #expect(request.httpBody == Data("x".utf8))
            return (Data("mocked".utf8), 201, nil)
        }
        let url = try #require(URL(string: "http://example.invalid/x"))
        let head = RequestHead(method: .post, url: url)
        let request = TransportRequest(head: head, body: .data(Data("x".utf8)))
        let response = try await URLSessionTransport(session: session).send(request)
        #expect(response.httpStatus == 201)
        #expect(String(decoding: response.data, as: UTF8.self) == "mocked")
    }

    @Test
    func anErrorOfAMockIsNamed() async throws {
        let session = MockSession { _ in (nil, 0, URLError(.notConnectedToInternet)) }
        let url = try #require(URL(string: "http://example.invalid/x"))
        let error = await #expect(throws: NetworkFailure.self) {
            try await URLSessionTransport(session: session).get(url)
        }
        #expect(error?.kind == .offline)
    }

    @Test
    func cancellingAMockThatNeverRespondsEndsAtOnce() async throws {
        let session = MockSession { _ in nil }
        let url = try #require(URL(string: "http://example.invalid/x"))
        let transport = URLSessionTransport(session: session)
        let task = Task { try await transport.get(url) }
        try await withinSeconds(120) { while session.resumed.withLock({ $0 }) == 0 { await Task.yield() } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await withinSeconds(120) { try await task.value } }
    }
}

/// What users of URLSession have in their tests: no network, a response at once.
private final class MockSession: URLSession, @unchecked Sendable {
    typealias Reply = @Sendable (URLRequest) -> (Data?, Int, (any Error)?)?

    let resumed = Locked(0)
    private let reply: Reply

    init(_ reply: @escaping Reply) {
        self.reply = reply
        #if canImport(Darwin)
            super.init()
        #else
            super.init(configuration: .ephemeral)
        #endif
    }

    override func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        MockTask { [reply, resumed] in
            resumed.withLock { $0 += 1 }
            guard let url = request.url, let (data, status, error) = reply(request) else { return }
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
            completionHandler(data, error == nil ? response : nil, error)
        }
    }
}

private final class MockTask: URLSessionDataTask, @unchecked Sendable {
    private let onResume: @Sendable () -> Void

    init(_ onResume: @escaping @Sendable () -> Void) { self.onResume = onResume }

    override func resume() { onResume() }
}
