import SimpleNetworking

/// Holds what a call brought.
public struct NationAnswer<Value> {
    /// The results; nil for an answer without any, such as 204.
    public let value: Value?
    /// What to ask for the page after this one with; nil if the answer is no page.
    public let pagination: NationPagination?
    /// The answer itself, with its header fields.
    public let response: SimpleResponse

    init(value: Value?, pagination: NationPagination?, _ response: SimpleResponse) {
        self.value = value
        self.pagination = pagination
        self.response = response
    }
}

extension NationAnswer: Sendable where Value: Sendable {}
