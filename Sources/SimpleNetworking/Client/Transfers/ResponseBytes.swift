/// Gives the body of a response in chunks as they arrive.
///
/// Each iteration sends the request again. See ``SimpleNetworking/bytes(for:)-(SimpleRequest)``.
public struct ResponseBytes: AsyncSequence, Sendable {
    let client: SimpleNetworking
    let request: SimpleRequest
    /// What the request accepts; nil leaves that to the request.
    var format: StreamFormat?

    /// Makes an iterator that starts before the first chunk.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: ContentReader(client, request, format)) }

    /// Starts reading, without generics: code that runs for each line then needs no type metadata.
    @Sendable
    func open() -> ChunkSource {
        let reader = ContentReader(client, request, format)
        return ChunkSource(next: { try await reader.next() }, response: { reader.response })
    }

    /// Waits for one chunk after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: ContentReader

        /// The response without its body; nil until its head has arrived.
        public var response: SimpleResponse? { reader.response }

        /// Waits for the head, before any content arrives.
        ///
        /// - Returns: The response without its body; nil if there is none, as after an error.
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` when the task was cancelled.
        public mutating func head() async throws -> SimpleResponse? { try await reader.awaitHead() }

        /// Waits for the next chunk.
        ///
        /// - Returns: The bytes that have arrived; nil at the end, and after an error.
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` when the task was cancelled.
        public mutating func next() async throws -> Data? { try await reader.next() }
    }
}

/// Sends a request when its first chunk is wanted, and cancels it when it is released.
private final class ContentReader: Sendable {
    private enum Phase {
        case idle
        case running(Task<Void, Never>)
        case ended
    }

    /// What arrives: the head once, then the content.
    private enum Piece: Sendable {
        case head
        case content(Data)
    }

    private struct Head {
        /// What was sent.
        var request: RequestHead?
        var response: SimpleResponse?

        mutating func respond(_ status: Int, _ headers: HTTPHeaders, hiding memory: SecretMemory) -> SimpleResponse? {
            // Middleware may have made a head of its own.
            request?.memory = memory
            response = request.map { SimpleResponse(request: $0, httpStatus: status, headers: headers) }
            return response
        }
    }

    private let client: SimpleNetworking
    private let request: SimpleRequest
    private let format: StreamFormat?
    private let head = Locked(Head())
    private let chunks = Rendezvous<Piece>()
    private let phase = Locked(Phase.idle)

    init(_ client: SimpleNetworking, _ request: SimpleRequest, _ format: StreamFormat?) {
        self.client = client
        self.request = request
        self.format = format
    }

    var response: SimpleResponse? { head.withLock { $0.response } }

    deinit {
        if case .running(let task) = phase.withLock({ $0 }) { task.cancel() }
    }

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
        let isEnded = phase.withLock { phase in
            if case .idle = phase { phase = .running(run()) }
            guard case .ended = phase else { return false }
            return true
        }
        if isEnded { return nil }
        do {
            if let piece = try await chunks.take() { return piece }
        } catch {
            end()
            throw error
        }
        end()
        return nil
    }

    private func end() {
        let task: Task<Void, Never>? = phase.withLock { phase in
            defer { phase = .ended }
            guard case .running(let task) = phase else { return nil }
            return task
        }
        task?.cancel()
    }

    /// The task does not retain the reader, so that releasing the reader cancels it.
    private func run() -> Task<Void, Never> {
        let scheduler = client.settings.configuration.callbackQueues.scheduler
        // A transport may keep the request, and with it the receiver, which must not retain the client.
        let receiver = ContentReceiver(
            receive: { [format, chunks, head, memory = client.memory] part in
                switch part {
                case .head(let status, let headers):
                    let response = head.withLock { $0.respond(status, headers, hiding: memory) }
                    if let response { try format?.check(response) }
                    try await chunks.give(.head)
                case .content(let data): try await chunks.give(.content(data))
                }
            },
            begin: { [head] request in head.withLock { $0.request = request } },
            canBeginAgain: { [head] in head.withLock { $0.response == nil } }
        )
        return Task.start(on: scheduler) { [client, request, format, chunks] in
            do {
                _ = try await client.send(request, to: .receiver(receiver), format)
                chunks.finish()
            } catch {
                chunks.finish(throwing: error)
            }
        }
    }
}
