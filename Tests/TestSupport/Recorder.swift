import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Collects what happens on any thread, in order.
package final class Recorder<Element: Sendable>: Sendable {
    private let kept = Locked<[Element]>([])

    package init() {}

    package func add(_ element: Element) { kept.withLock { $0.append(element) } }

    package var elements: [Element] { kept.withLock { $0 } }
}

extension Recorder<String> {
    /// Makes a logger whose messages are collected here, each after its level.
    package func logger(_ level: LogLevel) -> RequestLogger {
        RequestLogger(level: level) { [self] level, text in add("\(level) \(text)") }
    }
}
