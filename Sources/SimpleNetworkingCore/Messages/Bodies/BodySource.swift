import SimpleNetworkingSupport

/// Produces a request's content when the request is executed, and names the content's type.
package protocol BodySource: Sendable {
    /// The type of the content.
    var contentType: MediaType { get }

    /// The parameter of the type without which a server can't read the content; nil if there is none.
    ///
    /// A type that the caller sets replaces the content's own type only if this parameter has the same value in both.
    var requiredParameter: String? { get }

    /// Creates the content.
    func encoded() throws(SimpleNetworkingError) -> RequestBody
}
