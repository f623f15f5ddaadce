import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// A cancellation while Foundation is told what to do, which may take until all sessions of the process are idle.
@Suite(.timeLimit(.minutes(5)))
struct ExchangeTests {
    private let queue = DispatchQueue(label: "test")
    private let session = URLSession(configuration: .ephemeral)
    private let exchange: Exchange
    private let task: URLSessionTask
    private let url: URL

    init() throws {
        url = try #require(URL(string: "http://127.0.0.1:1/"))
        exchange = Exchange(TransportRequest(head: RequestHead(url: url)), on: queue)
        task = session.dataTask(with: url)
        exchange.attach(task, usesCache: false)
    }

    /// Cancels on another thread, and returns whether that returns before Foundation is done.
    private var isCancelledAtOnce: Bool {
        let hasReturned = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [exchange] in
            exchange.fail(CancellationError())
            hasReturned.signal()
        }
        return hasReturned.wait(timeout: .now() + 20) == .success
    }

    @Test
    func aCancellationDoesNotWaitForTheAnswerToAChallenge() async throws {
        let space = URLProtectionSpace(
            host: "127.0.0.1",
            port: 1,
            protocol: "http",
            realm: "test",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil,
            sender: NoSender()
        )
        let delegate = CallersDelegate(RecordingDelegate(challenge: .useCredential))
        let seen = Recorder<Bool>()
        let states = Recorder<URLSessionTask.State>()
        exchange.handle(challenge, of: task, in: session, delegate) { [self] _, _ in
            let isCancelled = isCancelledAtOnce
            seen.add(isCancelled)
            // The task is left alone until this returns.
            if isCancelled { queue.sync {} }
            states.add(task.state)
        }
        #expect(seen.elements == [true])
        #expect(states.elements == [.suspended])
        try await eventually { task.state != .suspended }
    }

    @Test
    func aCancellationDoesNotWaitForTheRefusalOfARedirect() {
        let seen = Recorder<Bool>()
        exchange.refuseRedirect { [self] _ in seen.add(isCancelledAtOnce) }
        #expect(seen.elements == [true])
    }
}
