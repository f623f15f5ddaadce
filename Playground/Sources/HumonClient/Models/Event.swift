import Foundation

/// Something that happens somewhere.
///
/// Two events are the same if they have the same identifier and the same owner. One that the server does not know yet is
/// only the same as itself and its copies.
public struct Event: Sendable {
    /// The identifier that the server has given, if it has.
    public var id: String?
    /// What it is called.
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
    /// Who has made it.
    public let owner: HumonUser?
    /// Who comes, if the server has said so.
    public let attendees: [HumonUser]?
    private let identity = UUID()

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - latitude: Where it is, in degrees.
    ///   - longitude: Where it is, in degrees.
    ///   - address: Where it is, in words. The default is none.
    ///   - startedAt: When it begins. The default is now.
    ///   - endedAt: When it ends. The default is none.
    ///   - id: The identifier that the server has given. The default is none.
    ///   - owner: Who has made it. The default is none.
    ///   - attendees: Who comes. The default is none.
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
    /// Tells whether both are the same event, whatever is known of it.
    public static func == (left: Event, right: Event) -> Bool {
        guard left.id != nil || right.id != nil else { return left.identity == right.identity }
        return left.id == right.id && left.owner?.id == right.owner?.id
    }

    /// Adds what makes it this event.
    public func hash(into hasher: inout Hasher) {
        if id == nil { return hasher.combine(identity) }
        hasher.combine(id)
        hasher.combine(owner?.id)
    }
}
