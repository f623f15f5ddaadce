/// Knows how a server divides a list into pages: where an answer says what comes next.
///
/// | style | the next page is |
/// |---|---|
/// | ``links(next:previous:size:keeping:)`` | a link in the content, with tokens in it |
/// | ``linkHeader(total:)`` | a link in the `Link` header field |
/// | ``numbers(page:size:first:itemsPerPage:pages:total:)`` | the number after this one |
/// | ``cursor(at:parameter:more:)`` | after the cursor in the content |
/// | ``offset(_:limit:itemsPerPage:total:)`` | after so many items |
///
/// Fields of the content are named with dots between the keys: `meta.next_cursor`.
public struct PaginationStyle: Sendable {
    let fields: [String]
    let start: Query
    let read: @Sendable (PageAnswer) throws -> PageInfo

    /// Makes a style of your own.
    ///
    /// - Parameters:
    ///   - fields: The fields of the content that tell of other pages. They are read while the items are.
    ///   - start: Pairs for the address of the first page; those that the request names itself win.
    ///   - read: Gives what the answer says of other pages. It may be called on any thread; what it throws ends the
    ///     pages, once this one is handled.
    public init(
        fields: [String] = [],
        start: Query = Query(),
        _ read: @escaping @Sendable (PageAnswer) throws -> PageInfo
    ) {
        self.fields = fields
        self.start = start
        self.read = read
    }
}
