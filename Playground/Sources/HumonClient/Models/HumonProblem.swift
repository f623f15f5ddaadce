import SimpleNetworking

/// Describes what is wrong with the content of a request: the content of a 422.
public struct HumonProblem: Decodable, Sendable, Hashable {
    /// The problem, in short.
    public let message: String
    /// The problems, one by one.
    public let errors: [String]

    /// Makes a problem, for tests.
    public init(message: String, errors: [String]) {
        self.message = message
        self.errors = errors
    }
}

extension SimpleNetworkingError {
    /// What the server found wrong with the request, if it said so.
    public var humonProblem: HumonProblem? { content(as: HumonProblem.self) }
}
