import Foundation

/// Says what happens in a scene while it happens; it may be used from any thread.
public struct Voice: Sendable {
    private let start: ContinuousClock.Instant
    private let lines: AsyncStream<Line>.Continuation

    init(lines: AsyncStream<Line>.Continuation) {
        self.lines = lines
        start = .now
    }

    /// Says something.
    ///
    /// - Parameters:
    ///   - text: What to say.
    ///   - actor: The actor on which it is said. The default is the one whose code calls this, if there is one.
    public func callAsFunction(_ text: String, isolation actor: (any Actor)? = #isolation) {
        lines.yield(Line(time: start.duration(to: .now), place: Place.current(actor: actor), text: text))
    }

    /// Quotes a text of many lines, such as a trace, which differs from run to run.
    public func quote(_ text: String) {
        lines.yield(Line(time: start.duration(to: .now), place: nil, text: text))
    }
}
