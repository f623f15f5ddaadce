import SimpleNetworking

/// Says in words why the server refused: the content of its 401 and 404.
public struct DemoProblem: Decodable, Sendable, Hashable {
    /// What is wrong.
    public let error: String
}

extension SimpleNetworkingError {
    /// What the server said is wrong, if it said anything.
    public var demoProblem: DemoProblem? { content(as: DemoProblem.self) }
}
