/// Tells what the response cache did for a request.
public enum CacheStep: String, Sendable, Hashable {
    /// It gave a stored answer; nothing was sent.
    case hit
    /// It gave a stored answer, of which the server said that it still holds.
    case confirmed
    /// It stored what the server answered.
    case stored
}
