import Dispatch
import Foundation
import SimpleNetworking

/// Prints the lines of a scene; it may be used from any thread.
public struct Voice: Sendable {
    private let start: ContinuousClock.Instant
    private let lines: AsyncStream<Line>.Continuation

    init(lines: AsyncStream<Line>.Continuation) {
        self.lines = lines
        start = .now
    }

    /// Prints a line.
    ///
    /// - Parameters:
    ///   - text: The line.
    ///   - actor: The actor that the line names. The default is the one whose code calls this, if there is one.
    public func callAsFunction(_ text: String, isolation actor: (any Actor)? = #isolation) {
        lines.yield(Line(time: start.duration(to: .now), place: Place.current(actor: actor), text: text))
    }

    /// Quotes a text of many lines, such as a trace, which differs from run to run.
    public func quote(_ text: String) {
        lines.yield(Line(time: start.duration(to: .now), place: nil, text: text))
    }
}

/// A line of a scene: when, where and what.
public struct Line: Sendable {
    /// The time since the scene began.
    public let time: Duration
    /// The queue or actor that printed it; nil for a quotation.
    public let place: String?
    /// The text.
    public let text: String
}

/// Names the place where code runs.
enum Place {
    private static let name = DispatchSpecificKey<String>()

    static func current(actor: (any Actor)?) -> String {
        if let actor { return actor === MainActor.shared ? "main actor" : "actor \(type(of: actor))" }
        if let name = DispatchQueue.getSpecific(key: name) { return name }
        return withUnsafeCurrentTask { $0 == nil ? "some thread" : "a task" }
    }

    /// Makes a client's queue known by name.
    ///
    /// A queue's own label can't be read on every platform.
    static func name(callbackQueueOf client: SimpleNetworking) {
        let queue = client.configuration.callbackQueue
        queue.setSpecific(key: name, value: queue === DispatchQueue.main ? "main queue" : "callback queue")
    }
}
