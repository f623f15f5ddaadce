import SimpleNetworkingSupport

// Conformances that many types share; without them, the documentation would have a page for each type's own.

/// Compares and hashes instances by their identity.
protocol Identified: Hashable {
    associatedtype Identity: Hashable
    /// The only value that determines equality.
    var identity: Identity { get }
}

extension Identified {
    /// Returns whether the two identities are equal.
    public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// Describes itself with its secrets hidden.
package protocol Described: CustomStringConvertible {
    /// The description, with secrets hidden.
    var shownText: String { get }
}

extension Described {
    /// A description of the value, with secrets hidden.
    public var description: String { shownText }
}

/// Uses an error's description as its localized description.
package protocol DescribedError: LocalizedError, Described {}

extension DescribedError {
    /// The localized description, which equals `description`.
    public var errorDescription: String? { description }
}
