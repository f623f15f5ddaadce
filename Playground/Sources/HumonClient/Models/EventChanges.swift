/// The differences between the events on a map and new ones.
public struct EventChanges: Sendable, Hashable {
    /// The events that were there before and stay.
    public let kept: Set<Event>
    /// The events that are new.
    public let added: Set<Event>
    /// The removed events.
    public let removed: Set<Event>

    /// Compares the events on the map with the new ones.
    public init(from old: [Event], to new: [Event]) {
        let (old, new) = (Set(old), Set(new))
        kept = old.intersection(new)
        added = new.subtracting(old)
        removed = old.subtracting(new)
    }
}
