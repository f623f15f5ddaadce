import ClientTestSupport
import Foundation
import NationBuilderClient
import SimpleNetworking

/// Records a delegate's calls, and returns false where a test wants it to.
final class Observer: NationBuilderDelegate {
    let lines = Lines()
    private let refused: String

    init(refusing refused: String = "") { self.refused = refused }

    private func record(_ name: String) -> Bool {
        lines.add(name)
        return name != refused
    }

    /// The same, and records calls that are not on the main queue.
    private func recordOnMain(_ name: String) -> Bool {
        record(name + (DispatchQueue.isMain ? "" : " elsewhere"))
    }

    func nation(_ nation: NationBuilder, shouldStart request: SimpleRequest) -> Bool { record("start") }

    func nation(_ nation: NationBuilder, willSend attempt: inout TransportRequest) {
        lines.add("send \(attempt.method) \(attempt.text)")
        attempt.headers["X-Seen"] = "yes"
        if refused == "method" { attempt.method = "SEARCH" }
    }

    func nation(_ nation: NationBuilder, shouldHandle response: SimpleResponse?, to request: RequestHead?) -> Bool {
        recordOnMain("response" + (response == nil ? " none" : ""))
    }

    func nation(_ nation: NationBuilder, shouldHandleTransportError error: SimpleNetworkingError) -> Bool {
        recordOnMain("transport")
    }

    func nation(
        _ nation: NationBuilder,
        shouldHandleHTTPError error: NationError,
        _ response: SimpleResponse
    ) async -> Bool { record("http") }

    func nation(
        _ nation: NationBuilder,
        shouldHandleServiceError error: NationError,
        _ response: SimpleResponse
    ) -> Bool { recordOnMain("service") }

    func nation(_ nation: NationBuilder, didParse json: Any, of response: SimpleResponse) {
        _ = recordOnMain("parsed")
    }
}
