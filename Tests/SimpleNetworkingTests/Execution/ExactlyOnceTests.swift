import Foundation
import SimpleNetworking
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

/// Thousands of concurrent requests with random behavior of servers and handlers.
@Suite(.timeLimit(.minutes(5)))
struct ExactlyOnceTests {
    enum Behaviour: CaseIterable {
        case success, failure, serverError, lateAnswer, timeout
        case cancelAtOnce, cancelLater, cancelTwice
        case falseWithoutRetry, lateRetry, doubleRetry, retryAndTrue, retryForEver, errorHandlerThatRetries
        case failInHand, succeedInHand, executeInHand, policyRetry, deadline
    }

    @Test
    func everyExecutionEndsExactlyOnce() async throws {
        let behaviours = (0..<Storm.size(2_000, full: 20_000)).map { _ in Behaviour.allCases.randomElement() ?? .success
        }
        let client = Self.client
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, behaviour) in behaviours.enumerated() {
                if index >= 64 { try await group.next() }
                group.addTask { try await Self.run(behaviour, on: client) }
            }
            try await group.waitForAll()
        }
    }

    @Test
    func aRequestThatTwoThreadsExecuteEndsOnce() async {
        let ends = Recorder<Int>()
        let numbers = 0..<Storm.size(500, full: 50_000)
        for number in numbers {
            let request = SimpleNetworking.get("/silent").on(completion: { _ in ends.add(number) })
            DispatchQueue.concurrentPerform(iterations: 2) { _ in Self.client.execute(request: request) }
            request.cancel()
            await request.ended()
        }
        #expect(ends.elements == Array(numbers))
    }

    private static let client = SimpleNetworking(host: "api.example.com") { configuration in
        configuration.callbackQueue = DispatchQueue(label: "callbacks", attributes: .concurrent)
        configuration.logger = .quiet
        configuration.transport = StubTransport()
            .on("/ok", .json("{}"))
            .on("/broken", .failure(NetworkFailure(.connectionLost)))
            .on("/silent", .silence)
            .on("/late") { _ in
                await Task.yield()
                return .json("{}")
            }
            .on("/busy", .status(503))
            .on("/secret", .status(401))
            .on("/flaky") { _ in Bool.random() ? .status(401) : .json("{}") }
    }

    /// Runs one request and checks that its completion handler was called once per execution.
    private static func run(_ behaviour: Behaviour, on client: SimpleNetworking) async throws {
        let expected = behaviour == .errorHandlerThatRetries ? 4 : 1
        let ends = Locked(0)
        let hasEnded = Gate()
        let request = start(behaviour, on: client) {
            let count = ends.withLock { ends in
                ends += 1
                return ends
            }
            if count == expected { hasEnded.open() }
        }
        try await hasEnded.wait()
        // Work that is still in flight could run the handlers once more now.
        await request?.ended()
        // A retry that comes after the end is an execution of its own.
        let allowed = behaviour == .doubleRetry ? 1...4 : expected...expected
        #expect(allowed.contains(ends.withLock { $0 }), "\(behaviour): \(request?.trace.description ?? "gone")")
        guard let request else { return }
        try await eventually {
            request.trace.events.count { if case .ended = $0.kind { true } else { false } } == ends.withLock { $0 }
        }
    }

    /// Returns the request, or nil if it must not be retained.
    private static func start(
        _ behaviour: Behaviour,
        on client: SimpleNetworking,
        _ ended: @escaping @Sendable () -> Void
    ) -> SimpleRequest? {
        let request = SimpleNetworking.get(path(behaviour))
        request.on(isolation: nil, completion: { _ in ended() })
        addHandlers(to: request, behaviour, client)
        if Bool.random() { addValueHandlers(to: request) }
        request.execute(on: client)
        disturb(request, behaviour)
        return behaviour == .falseWithoutRetry ? nil : request
    }

    private static func path(_ behaviour: Behaviour) -> String {
        switch behaviour {
        case .success: "/ok"
        case .failure: "/broken"
        case .serverError, .policyRetry, .errorHandlerThatRetries: "/busy"
        case .lateAnswer: "/late"
        case .timeout, .deadline, .cancelAtOnce, .cancelTwice: "/silent"
        case .cancelLater: ["/late", "/secret", "/flaky", "/ok"].randomElement() ?? "/ok"
        case .falseWithoutRetry, .failInHand, .succeedInHand, .retryForEver, .executeInHand: "/secret"
        case .lateRetry, .doubleRetry, .retryAndTrue: "/flaky"
        }
    }

    private static func addHandlers(to request: SimpleRequest, _ behaviour: Behaviour, _ client: SimpleNetworking) {
        switch behaviour {
        case .timeout: request.timeout(0.01)
        case .deadline: request.deadline(0.01)
        case .policyRetry:
            request.retry(RetryPolicy(attempts: 3, backoff: .constant(0.001)))
        case .errorHandlerThatRetries:
            request.on(isolation: nil, error: { [weak request] _ in request?.retry() })
        default:
            request.on(
                isolation: nil,
                httpStatus: 401,
                { taken, response in
                    inHand(taken, response, behaviour, client)
                }
            )
        }
    }

    /// Some handlers can decode the response, some can not; there is one end nevertheless.
    private static func addValueHandlers(to request: SimpleRequest) {
        request.on(isolation: nil, start: { _ in })
            .on(isolation: nil, success: [String: Int].self) { _ in }
            .on(isolation: nil, error: [String: Int].self) { _, _, _ in }
        if Bool.random() { request.on(isolation: nil, httpStatus: 401, decoding: Data.self) { _, _, _ in true } }
    }

    private static func inHand(
        _ request: SimpleRequest,
        _ response: SimpleResponse,
        _ behaviour: Behaviour,
        _ client: SimpleNetworking
    ) -> Bool {
        switch behaviour {
        case .lateRetry: DispatchQueue.global().async { request.retry() }
        case .doubleRetry:
            DispatchQueue.global().async { request.retry() }
            request.retry()
            request.retry()
        case .retryAndTrue, .retryForEver, .cancelLater:
            request.retry()
            return Bool.random()
        case .failInHand:
            DispatchQueue.global().async { request.fail(CancellationError()) }
            request.fail(NetworkFailure(.other))
        case .succeedInHand: request.succeed(with: response)
        case .executeInHand: client.execute(request: request)
        default: break
        }
        return false
    }

    private static func disturb(_ request: SimpleRequest, _ behaviour: Behaviour) {
        switch behaviour {
        case .cancelAtOnce: request.cancel()
        case .cancelLater:
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(.random(in: 0...300))) {
                request.cancel()
            }
        case .cancelTwice:
            for _ in 0..<2 { DispatchQueue.global().async { request.cancel() } }
        default: break
        }
    }
}
