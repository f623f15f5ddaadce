import SimpleNetworkingSupport

/// Where a module has the content of a successful response delivered.
package protocol ResponseDestination: Sendable {
    /// Where the content is delivered unless the module's own stage changes that.
    var sink: ResponseSink { get }

    /// What sends the request in place of the client's transport; nil if that sends it.
    var transport: (any Transport)? { get }

    /// The value that stands for the content, for what asks for a value of its type; nil if none does.
    var value: (any Sendable)? { get }
}

extension ResponseDestination {
    package var sink: ResponseSink { .memory }
    package var transport: (any Transport)? { nil }
    package var value: (any Sendable)? { nil }
}

extension ContentDestination {
    /// What sends the request in place of the client's transport; nil if that sends it.
    var transport: (any Transport)? { if case .other(let other) = self { other.transport } else { nil } }

    /// The value that stands for the content; nil if none does.
    var value: (any Sendable)? { if case .other(let other) = self { other.value } else { nil } }
}
