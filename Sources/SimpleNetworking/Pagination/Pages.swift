/// Gives a list page by page: an asynchronous sequence that asks for a page when it is wanted, and not before.
///
/// Each time it is gone through it begins with the first page. See ``SimpleNetworking/pages(of:at:for:style:limit:)``.
public struct Pages<Item: Decodable & SendableMetatype>: AsyncSequence, Sendable {
    let client: SimpleNetworking
    let request: SimpleRequest
    let reader: PageReader<Item>

    /// Gives an iterator that stands before the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, request: request.copy(), reader: reader)
    }

    /// Asks for one page after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let client: SimpleNetworking
        private let request: SimpleRequest
        private let reader: PageReader<Item>
        /// What is asked for next; nil at the end.
        private var next: Result<PageProgress, SimpleNetworkingError>?

        fileprivate init(client: SimpleNetworking, request: SimpleRequest, reader: PageReader<Item>) {
            self.client = client
            self.request = request
            self.reader = reader
            let isWanted = reader.limit.allowsMore(thanPages: 0, items: 0)
            next = isWanted ? .success(PageProgress(start: reader.style.start)) : nil
        }

        /// Asks for the next page.
        ///
        /// - Returns: The page; nil after the last one, after an error, and where the limit is reached.
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` when the task was cancelled.
        public mutating func next() async throws -> Page<Item>? {
            guard let progress = try next.take()?.get() else { return nil }
            let asked = request.copy()
            asked.specify { $0 = progress.asked(of: $0) }
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
