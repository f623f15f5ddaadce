import SimpleNetworkingSupport

/// Finds the number of items or pages of a list, in the body or in a header field.
struct ListCount: Sendable {
    /// The fields to read if none is named.
    enum Standard {
        case items, pages

        fileprivate var field: String { self == .items ? "total" : "total_pages" }

        fileprivate var headers: [String] {
            switch self {
            case .items: ["X-Total-Count", "X-WP-Total", "X-Pagination-Total-Count"]
            case .pages: ["X-Total-Pages", "X-WP-TotalPages", "X-Pagination-Page-Count"]
            }
        }
    }

    /// The name of the body field; nil if there is none.
    private let field: String?
    private let headers: [String]
    private let isNamed: Bool

    init(_ name: String?, or standard: Standard? = nil) {
        field = name ?? standard?.field
        headers = name.map { [$0] } ?? standard?.headers ?? []
        isNamed = name != nil
    }

    var fields: [String] { [field].compactMap(\.self) }

    /// The field that at least one page must have, if the program has named it.
    var required: [String: @Sendable (PageResponse) -> Bool] {
        guard isNamed, let field else { return [:] }
        return [field: { $0.fields[field] != nil || $0.response.headers.contains(field) }]
    }

    func value(in page: PageResponse) -> Int? {
        if let field, let count = page.int(field) { return count }
        let counts = headers.lazy.compactMap { page.response.headers[$0].flatMap(Self.count) }
        // Some servers write 0 or -1 if they haven't counted.
        return counts.first { $0 > 0 || $0 == 0 && page.itemCount == 0 }
    }

    /// Returns the number in a header field, such as `25`, or `items 0-9/25` in `Content-Range`.
    private static func count(_ text: String) -> Int? { Int((text.parts(at: "/").after ?? text[...]).trimmed) }
}
