import SimpleNetworking

/// Collects what happens on any thread, in order.
package final class Recorder<Element: Sendable>: Sendable {
    private let kept = Locked<[Element]>([])

    package init() {}

    package func add(_ element: Element) { kept.withLock { $0.append(element) } }

    package var elements: [Element] { kept.withLock { $0 } }
}
