import Foundation
import Testing

@testable import SimpleNetworking

@Suite("URLSessionTransport with a mocked session", .timeLimit(.minutes(5)))
struct URLSessionMockTests {
    @Test
    func aSubclassThatOverridesDataTaskIsAsked() async throws {
        let session = MockSession { request in
            #expect(request.httpBody == Data("x".utf8))
            return (Data("mocked".utf8), 201, nil)
        }
        let url = try #require(URL(string: "http://example.invalid/x"))
        let head = RequestHead(method: .post, url: url)
        let request = TransportRequest(head: head, body: .data(Data("x".utf8)))
        let response = try await URLSessionTransport(session: session).send(request)
        #expect(response.status == 201)
        #expect(String(decoding: response.body, as: UTF8.self) == "mocked")
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
    func cancellingAMockThatNeverAnswersEndsAtOnce() async throws {
        let session = MockSession { _ in nil }
        let url = try #require(URL(string: "http://example.invalid/x"))
        let transport = URLSessionTransport(session: session)
        let task = Task { try await transport.get(url) }
        try await withinSeconds(120) { while session.resumed.withLock({ $0 }) == 0 { await Task.yield() } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await withinSeconds(120) { try await task.value } }
    }
}

/// What users of URLSession have in their tests: no network, an answer at once.
private final class MockSession: URLSession, @unchecked Sendable {
    typealias Answer = @Sendable (URLRequest) -> (Data?, Int, (any Error)?)?

    let resumed = Locked(0)
    private let answer: Answer

    init(_ answer: @escaping Answer) {
        self.answer = answer
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
        MockTask { [answer, resumed] in
            resumed.withLock { $0 += 1 }
            guard let url = request.url, let (data, status, error) = answer(request) else { return }
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
