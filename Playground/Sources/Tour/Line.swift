/// Holds what was said in a scene: when, where and what.
public struct Line: Sendable {
    /// The time since the scene began.
    public let time: Duration
    /// The queue or actor on which it was said; nil for a quotation.
    public let place: String?
    /// What was said.
    public let text: String
}
