import SimpleNetworkingSupport

extension SimpleResponse {
    /// The links in the `Link` header field.
    var links: LinkHeader { LinkHeader(headers["Link"] ?? "") }

    /// Returns the absolute URL of the first link with the given relation, such as `next`, or nil if no link is valid.
    ///
    /// A relative link is resolved against the response's URL. A link may lead to another origin, or from `https` to
    /// `http`; ``PaginationStyle/linkHeader(total:)`` doesn't follow the latter.
    public func link(_ relation: String) -> URL? {
        links.target(of: relation).flatMap { try? URLParts(resolving: $0, against: request.url).url() }
    }
}
