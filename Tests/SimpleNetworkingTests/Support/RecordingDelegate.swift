import Foundation
import SimpleNetworkingSupport

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// A session's delegate that records its callbacks, and makes the given decisions.
final class RecordingDelegate: NSObject, URLSessionDataDelegate {
    typealias Reply = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    private let challenge: URLSession.AuthChallengeDisposition?
    private let disposition: URLSession.ResponseDisposition
    private let makesStreams: Bool
    private let recorder = Recorder<String>()
    private let open = FirstResult<Reply>()

    /// - Parameters:
    ///   - challenge: The decision on challenges; nil leaves them open.
    ///   - disposition: The decision on responses.
    ///   - makesStreams: Whether it has content of its own to send.
    init(
        challenge: URLSession.AuthChallengeDisposition? = .performDefaultHandling,
        disposition: URLSession.ResponseDisposition = .allow,
        makesStreams: Bool = false
    ) {
        self.challenge = challenge
        self.disposition = disposition
        self.makesStreams = makesStreams
    }

    var heard: [String] { recorder.elements }

    /// Waits for a challenge, and returns its completion handler.
    func openChallenge() async throws -> Reply { try await open.value() }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { recorder.add("invalid") }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping Reply
    ) {
        recorder.add("session challenge")
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping Reply
    ) {
        recorder.add("challenge")
        guard let reply = self.challenge else { return open.finish(.success(completionHandler)) }
        completionHandler(reply, URLCredential(user: "a", password: "b", persistence: .none))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        recorder.add("redirect \(request.url?.path ?? "")")
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        recorder.add("stream")
        completionHandler(makesStreams ? InputStream(data: Data("x".utf8)) : nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        recorder.add("sent")
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        recorder.add("response")
        completionHandler(disposition)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        recorder.add("data")
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        recorder.add("cache")
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        recorder.add("complete")
    }
}

/// A delegate that implements nothing.
final class BareDelegate: NSObject, URLSessionDelegate {}

/// What a challenge of a test's own needs.
final class NoSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
