/// Says how much a logger wants to hear.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Nothing.
    case none
    /// What went wrong.
    case error
    /// What was asked for and ignored, or looks like a mistake.
    case warning
    /// What happened.
    case info
    /// Everything.
    case debug

    /// Tells whether a level is less detailed than another.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
