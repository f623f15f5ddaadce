import SimpleNetworkingFeatureSupport

/// Delivers the body of a response in chunks as they arrive.
///
/// Each iteration sends the request again. For details, see `bytes(for:)`.
public struct ResponseBytes: AsyncSequence, Sendable {
    let client: SimpleNetworking
    let request: SimpleRequest
    /// The format that the request accepts; if it is nil, the request keeps its own.
    var format: StreamFormat?

    /// Creates an iterator that starts with the first chunk.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: ContentReader(client, request, format)) }

    /// Starts reading, without generics, so that code that runs for each line doesn't need type metadata.
    @Sendable func open() -> ChunkSource {
        let reader = ContentReader(client, request, format)
        return ChunkSource(next: { try await reader.next() }, response: { reader.response })
    }

    /// Waits for the chunks of a body, one after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: ContentReader

        /// Waits for the response's head, and returns the response without its body.
        ///
        /// - Returns: The response, or nil if no response arrived, for example, after an error.
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` if the task was cancelled.
        public mutating func head() async throws -> SimpleResponse? { try await reader.awaitHead() }

        /// Waits for bytes to arrive and returns them, or nil at the end of the body or after an error.
        ///
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` if the task was cancelled.
        public mutating func next() async throws -> Data? { try await reader.next() }
    }
}

/// Sends a request when its first chunk is awaited, and cancels it when the reader is released.
private final class ContentReader: Sendable {
    /// Represents a received piece of the response: first the head, then the content.
    private enum Piece: Sendable {
        case head
        case content(Data)
    }

    private let client: SimpleNetworking
    private let request: SimpleRequest
    private let format: StreamFormat?
    /// The head of the request that was sent, and the response without its body.
    private let head = Locked((sent: RequestHead?.none, response: SimpleResponse?.none))
    private let chunks = Handover<Piece>()
    /// The task, which is nil until the first chunk is awaited, and whether reading has ended.
    private let state = Locked((task: Task<Void, Never>?.none, isEnded: false))

    init(_ client: SimpleNetworking, _ request: SimpleRequest, _ format: StreamFormat?) {
        self.client = client
        self.request = request
        self.format = format
    }

    var response: SimpleResponse? { head.withLock { $0.response } }

    deinit { state.withLock { $0.task }?.cancel() }

    func next() async throws -> Data? {
        while let piece = try await nextPiece() {
            if case .content(let data) = piece { return data }
        }
        return nil
    }

    func awaitHead() async throws -> SimpleResponse? {
        if response == nil { _ = try await nextPiece() }
        return response
    }

    private func nextPiece() async throws -> Piece? {
        let isEnded = state.withLock { state in
            if state.task == nil { state.task = run() }
            return state.isEnded
        }
        if isEnded { return nil }
        var piece: Piece?
        defer { if piece == nil { end() } }
        piece = try await chunks.take()
        return piece
    }

    private func end() {
        let task = state.withLock { state in
            state.isEnded = true
            return state.task
        }
        task?.cancel()
    }

    /// Starts the task, which doesn't retain the reader, so that releasing the reader cancels the task.
    private func run() -> Task<Void, Never> {
        let give: @Sendable (Piece) async throws -> Void = { [chunks, head] piece in
            do { try await chunks.give(piece) } catch is CancellationError {
                // The reader has stopped reading, which cancels the request.
                throw SimpleNetworkingError.cancelled(head.withLock { $0.sent })
            }
        }
        // A transport may retain the request, and with it the receiver, which must not retain the client.
        let receiver = ContentReceiver(
            receive: { [format, head, memory = client.memory] part in
                switch part {
                case .head(let status, let headers):
                    let response = head.withLock { head in
                        // Middleware may have created its own head.
                        head.sent?.memory = memory
                        let sent = head.sent
                        head.response = sent.map { request in
                            SimpleResponse(
                                request: request,
                                httpStatus: status,
                                headers: headers,
                                acceptableStatuses: format?.statuses ?? [status]
                            )
                        }
                        return head.response
                    }
                    if let response { try format?.check(response) }
                    try await give(.head)
                case .content(let data): try await give(.content(data))
                }
            },
            begin: { [head] request in head.withLock { $0.sent = request } },
            canBeginAgain: { [head] in head.withLock { $0.response == nil } },
            openEnd: format?.openEnd
        )
        return Task.start(on: client.configuration.scheduler) { [client, request, format, chunks] in
            do {
                _ = try await client.send(request, to: receiver) {
                    $0.suspendsParts()
                    format?.ask(in: $0)
                }
                chunks.finish()
            } catch {
                chunks.finish(throwing: error)
            }
        }
    }
}
