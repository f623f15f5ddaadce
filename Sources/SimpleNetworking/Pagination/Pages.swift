/// Gives a list page by page, and requests each page when it is wanted.
///
/// Each iteration starts with the first page. See ``SimpleNetworking/pages(of:at:for:style:limit:)``.
public struct Pages<Item: Decodable & _SendableMetatype>: AsyncSequence, Sendable {
    let client: SimpleNetworking
    let request: SimpleRequest
    let reader: PageReader<Item>

    /// Makes an iterator that starts before the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, request: request.copy(), reader: reader)
    }

    /// Requests one page after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let client: SimpleNetworking
        private let request: SimpleRequest
        private let reader: PageReader<Item>
        /// What to request next; nil at the end.
        private var next: Result<PageProgress, SimpleNetworkingError>?

        fileprivate init(client: SimpleNetworking, request: SimpleRequest, reader: PageReader<Item>) {
            self.client = client
            self.request = request
            self.reader = reader
            let isWanted = reader.limit.allowsMore(thanPages: 0, items: 0)
            next = isWanted ? .success(PageProgress(start: reader.style.start)) : nil
        }

        /// Requests the next page.
        ///
        /// - Returns: The page; nil after the last one, after an error, and at the limit.
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` when the task was cancelled.
        public mutating func next() async throws -> Page<Item>? {
            guard let progress = try next.take()?.get() else { return nil }
            let asked = request.copy()
            asked.specify { $0 = progress.specification(for: $0) }
            let response = try await client.send(asked)
            let page: Page<Item>
            (page, next) = try reader.read(
                response,
                client.decoder(for: asked),
                asked: asked.specification,
                progress
            )
            return page
        }
    }
}

/// Gives a list item by item, and requests each page when its first item is wanted.
///
/// Each iteration starts with the first page. See ``SimpleNetworking/items(of:at:for:style:limit:)``.
public struct PagedItems<Item: Decodable & _SendableMetatype>: AsyncSequence, Sendable {
    let pages: Pages<Item>

    /// Makes an iterator that starts before the first item.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Gives one item after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: Pages<Item>.Iterator
        private var items: ArraySlice<Item> = []

        fileprivate init(pages: Pages<Item>.Iterator) { self.pages = pages }

        /// Gives the next item, and requests a page if it must; empty pages are skipped.
        ///
        /// - Returns: The item; nil after the last one, after an error, and at the limit.
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` when the task was cancelled.
        public mutating func next() async throws -> Item? {
            while items.isEmpty {
                guard let page = try await pages.next() else { return nil }
                items = page.items[...]
            }
            return items.removeFirst()
        }
    }
}

/// Limits how many pages or items of a list are requested: `.pages(10)`, `.items(500)`, or both.
///
/// A list ends at its limit as it does after the last page.
public struct PageLimit: Sendable, Hashable {
    /// The most pages to request; nil for no limit.
    public var pages: Int?
    /// The most items to give, which may shorten the last page; nil for no limit.
    public var items: Int?

    /// Makes a limit of pages, of items, or of both.
    public init(pages: Int? = nil, items: Int? = nil) {
        self.pages = pages
        self.items = items
    }

    /// Requests all pages.
    public static let none = PageLimit()

    /// Requests at most this many pages.
    public static func pages(_ count: Int) -> PageLimit { PageLimit(pages: count) }

    /// Gives at most this many items.
    public static func items(_ count: Int) -> PageLimit { PageLimit(items: count) }

    func allowsMore(thanPages pages: Int, items: Int) -> Bool {
        pages < self.pages ?? .max && items < self.items ?? .max
    }
}
