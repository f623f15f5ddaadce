import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting

@testable import SimpleNetworkingCore

/// Holds the thread that tells it of the first event of a kind.
final class HoldingMonitor: EventMonitor {
    let go = DispatchSemaphore(value: 0)
    private let isMeant: @Sendable (RequestEvent.Kind) -> Bool
    private let isFirst = Locked(true)

    init(_ isMeant: @escaping @Sendable (RequestEvent.Kind) -> Bool) { self.isMeant = isMeant }

    /// Holds the thread that has run the first handler of a kind.
    convenience init(after kind: HandlerRun.Kind) {
        self.init { if case .handler(let run) = $0 { run.kind == kind } else { false } }
    }

    var isHolding: Bool { isFirst.withLock { !$0 } }

    func observe(_ event: RequestEvent, of request: ObservedRequest) {
        if isMeant(event.kind), isFirst.withLock({ $0.take() }) { go.wait() }
    }
}

extension Bool {
    /// Returns the value, and makes it false.
    mutating func take() -> Bool {
        defer { self = false }
        return self
    }
}
