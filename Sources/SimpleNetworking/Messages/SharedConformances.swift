// What many types are for the compiler, written once: it would be a page of the documentation for each of them.

/// Equals what has the same identity.
protocol Identified: Hashable {
    associatedtype Identity: Hashable
    /// What alone counts.
    var identity: Identity { get }
}

extension Identified {
    /// Compares the identities.
    public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// Describes itself with a text of its own.
protocol Described: CustomStringConvertible {
    /// The description, with secrets hidden.
    var shownText: String { get }
}

extension Described {
    /// What the value is, in words, with secrets hidden.
    public var description: String { shownText }
}

/// An error whose description is also its localized one.
protocol DescribedError: LocalizedError, Described {}

extension DescribedError {
    /// The description.
    public var errorDescription: String? { description }
}
