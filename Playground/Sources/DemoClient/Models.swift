import SimpleNetworking

/// A user of the server.
public struct User: Decodable, Sendable, Hashable {
    /// The user's number.
    public let id: Int
    /// The user's name.
    public let name: String
}

/// An item of the server's list.
public struct Item: Decodable, Sendable, Hashable {
    /// The item's number.
    public let id: Int
    /// The item's name.
    public let title: String
}

/// The page that requires a sign-in.
public struct PrivatePage: Decodable, Sendable, Hashable {
    /// The secret text.
    public let secret: String
}

/// The server's response to a sign-in.
struct NewToken: Decodable, Sendable {
    let token: Secret
}

/// Describes why the server rejected a request: the content of its 401 and 404.
public struct DemoProblem: Decodable, Sendable, Hashable {
    /// The problem.
    public let error: String
}

extension SimpleNetworkingError {
    /// The server's description of the problem, if there is one.
    public var demoProblem: DemoProblem? { content(as: DemoProblem.self) }
}
