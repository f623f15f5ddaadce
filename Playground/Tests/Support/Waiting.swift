import Dispatch

/// Waits for what a completion takes.
package func value<Value>(_ begin: (@escaping (Value) -> Void) -> Void) async -> Value {
    await withCheckedContinuation { (continuation: CheckedContinuation<UncheckedBox<Value>, Never>) in
        begin { continuation.resume(returning: UncheckedBox(value: $0)) }
    }.value
}

/// Carries a value from the completion to the test, one after the other.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package let value: Value

    package init(value: Value) { self.value = value }
}

extension DispatchQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this runs on the main queue, whichever thread serves it.
    package static var isMain: Bool { getSpecific(key: mark) == true }

    /// Returns when all that was put into the queue before has run.
    package func turn() async { await withCheckedContinuation { done in async { done.resume() } } }
}
