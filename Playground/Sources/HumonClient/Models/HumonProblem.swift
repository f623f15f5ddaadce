import SimpleNetworking

/// Says what is wrong with what was sent: the content of a 422.
public struct HumonProblem: Decodable, Sendable, Hashable {
    /// What is wrong, in short.
    public let message: String
    /// What is wrong, one by one.
    public let errors: [String]

    /// Makes a problem, for tests.
    public init(message: String, errors: [String]) {
        self.message = message
        self.errors = errors
    }
}

extension SimpleNetworkingError {
    /// What the server said is wrong with what was sent, if it said anything.
    public var humonProblem: HumonProblem? { content(as: HumonProblem.self) }
}
