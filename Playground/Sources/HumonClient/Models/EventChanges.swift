/// What changes on a map when other events are to be seen on it.
public struct EventChanges: Sendable, Hashable {
    /// The events that were there before and stay.
    public let kept: Set<Event>
    /// The events that are new.
    public let added: Set<Event>
    /// The events that are gone.
    public let removed: Set<Event>

    /// Compares what is on the map with what is to be on it.
    public init(from old: [Event], to new: [Event]) {
        let (old, new) = (Set(old), Set(new))
        kept = old.intersection(new)
        added = new.subtracting(old)
        removed = old.subtracting(new)
    }
}
