import Synchronization

/// Keeps what handlers on any thread report, in order.
final class Recorder<Element: Sendable>: Sendable {
    private let kept = Mutex<[Element]>([])

    func add(_ element: Element) { kept.withLock { $0.append(element) } }

    var elements: [Element] { kept.withLock { $0 } }
}

/// Waits for a condition, by polling; the suite's time limit ends it.
func eventually(_ condition: @Sendable () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(2)) }
}
