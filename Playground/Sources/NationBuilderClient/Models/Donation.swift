/// A donation by a person.
public struct Donation: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt?
    /// The amount in cents.
    public var amountInCents: Int
    /// The donor's identifier.
    public var donorId: UInt?
    /// The payment type name.
    public var paymentTypeName: String?

    /// Creates one; nil values are not sent.
    public init(id: UInt? = nil, amountInCents: Int, donorId: UInt? = nil, paymentTypeName: String? = nil) {
        self.id = id
        self.amountInCents = amountInCents
        self.donorId = donorId
        self.paymentTypeName = paymentTypeName
    }
}
