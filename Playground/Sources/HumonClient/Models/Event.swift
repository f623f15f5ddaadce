import Foundation

/// An event with a time and a place.
///
/// Two events are the same if they have the same identifier and the same owner. One that the server does not know yet is
/// only the same as itself and its copies.
public struct Event: Sendable {
    /// The identifier from the server, if there is one.
    public var id: String?
    /// The name.
    public var name: String
    /// Where it is, in words.
    public var address: String?
    /// Where it is, in degrees.
    public var latitude: Double
    /// Where it is, in degrees.
    public var longitude: Double
    /// When it begins.
    public var startedAt: Date
    /// When it ends.
    public var endedAt: Date?
    /// The user who made it.
    public let owner: HumonUser?
    /// The users who come, if the server listed them.
    public let attendees: [HumonUser]?
    private let identity = UUID()

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - latitude: Where it is, in degrees.
    ///   - longitude: Where it is, in degrees.
    ///   - address: The place, in words. The default is none.
    ///   - startedAt: When it begins. The default is now.
    ///   - endedAt: When it ends. The default is none.
    ///   - id: The identifier from the server. The default is none.
    ///   - owner: The user who made it. The default is none.
    ///   - attendees: The users who come. The default is none.
    public init(
        name: String,
        latitude: Double,
        longitude: Double,
        address: String? = nil,
        startedAt: Date = Date(),
        endedAt: Date? = nil,
        id: String? = nil,
        owner: HumonUser? = nil,
        attendees: [HumonUser]? = nil
    ) {
        self.id = id
        self.name = name
        self.address = address
        self.latitude = latitude
        self.longitude = longitude
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.owner = owner
        self.attendees = attendees
    }
}

extension Event: Hashable {
    /// Returns whether both are the same event, by identifier and owner.
    public static func == (left: Event, right: Event) -> Bool {
        guard left.id != nil || right.id != nil else { return left.identity == right.identity }
        return left.id == right.id && left.owner?.id == right.owner?.id
    }

    /// Adds identifier and owner.
    public func hash(into hasher: inout Hasher) {
        if id == nil { return hasher.combine(identity) }
        hasher.combine(id)
        hasher.combine(owner?.id)
    }
}
