/// A conversation with a person.
public struct Contact: Codable, Hashable, Sendable {
    /// The broadcaster's identifier.
    public var broadcasterId: UInt?
    /// The method.
    public var method: String?
    /// The note.
    public var note: String?
    /// The sender's identifier.
    public var senderId: UInt?
    /// The status.
    public var status: String?
    /// The type's identifier.
    public var typeId: UInt?

    /// Creates one; nil values are not sent.
    public init(
        broadcasterId: UInt? = nil,
        method: String? = nil,
        note: String? = nil,
        senderId: UInt? = nil,
        status: String? = nil,
        typeId: UInt? = nil
    ) {
        self.broadcasterId = broadcasterId
        self.method = method
        self.note = note
        self.senderId = senderId
        self.status = status
        self.typeId = typeId
    }
}

/// A type, a method or a status that contacts may have.
public struct ContactOption: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt?
    /// The name.
    public var name: String
    /// The api name.
    public var apiName: String?

    /// Creates one; nil values are not sent.
    public init(id: UInt? = nil, name: String, apiName: String? = nil) {
        self.id = id
        self.name = name
        self.apiName = apiName
    }
}
