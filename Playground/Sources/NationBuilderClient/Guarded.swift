import Foundation

/// Holds what may be read and changed from any thread.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var content: Value

    init(_ value: Value) { content = value }

    /// A copy of the value.
    var value: Value { lock.withLock { content } }

    func change<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try change(&content) }
    }
}
