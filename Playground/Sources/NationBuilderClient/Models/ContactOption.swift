/// A type, a method or a status that contacts may have.
public struct ContactOption: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt?
    /// The name.
    public var name: String
    /// The api name.
    public var apiName: String?

    /// Makes one; what is nil is not sent.
    public init(id: UInt? = nil, name: String, apiName: String? = nil) {
        self.id = id
        self.name = name
        self.apiName = apiName
    }
}
