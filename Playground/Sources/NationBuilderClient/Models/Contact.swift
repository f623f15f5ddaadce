/// A conversation with somebody.
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

    /// Makes one; what is nil is not sent.
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
