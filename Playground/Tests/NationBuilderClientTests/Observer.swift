import Foundation
import NationBuilderClient
import SimpleNetworking

/// Writes down what a delegate is asked, and says no where a test wants it to.
final class Observer: NationBuilderDelegate {
    let lines = Lines()
    private let refused: String

    init(refusing refused: String = "") { self.refused = refused }

    private func answer(_ name: String) -> Bool {
        lines.add(name)
        return name != refused
    }

    /// The same, and notes if it is not asked on the main queue.
    private func answerOnMain(_ name: String) -> Bool {
        answer(name + (DispatchQueue.isMain ? "" : " elsewhere"))
    }

    func nation(_ nation: NationBuilder, shouldStart request: SimpleRequest) -> Bool { answer("start") }

    func nation(_ nation: NationBuilder, willSend attempt: inout TransportRequest) {
        lines.add("send \(attempt.method) \(attempt.text)")
        attempt.headers["X-Seen"] = "yes"
        if refused == "method" { attempt.method = "SEARCH" }
    }

    func nation(_ nation: NationBuilder, shouldHandle response: SimpleResponse?, to request: RequestHead?) -> Bool {
        answerOnMain("response" + (response == nil ? " none" : ""))
    }

    func nation(_ nation: NationBuilder, shouldHandleTransportError error: SimpleNetworkingError) -> Bool {
        answerOnMain("transport")
    }

    func nation(
        _ nation: NationBuilder,
        shouldHandleHTTPError error: NationError,
        _ response: SimpleResponse
    ) async -> Bool { answer("http") }

    func nation(
        _ nation: NationBuilder,
        shouldHandleServiceError error: NationError,
        _ response: SimpleResponse
    ) -> Bool { answerOnMain("service") }

    func nation(_ nation: NationBuilder, didParse json: Any, of response: SimpleResponse) {
        _ = answerOnMain("parsed")
    }
}
