import Foundation

/// Collects what happens on any thread, in order.
final class Recorder<Element: Sendable>: Sendable {
    private let kept = Mutexed<[Element]>([])

    func add(_ element: Element) { kept.withLock { $0.append(element) } }

    var elements: [Element] { kept.withLock { $0 } }
}

/// A value behind a lock.
final class Mutexed<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
