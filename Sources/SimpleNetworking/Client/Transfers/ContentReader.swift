/// Sends a request when its content is wanted, and stops it when nobody wants it any more.
final class ContentReader: Sendable {
    private enum Phase {
        case idle
        case running(Task<Void, Never>)
        case ended
    }

    private let client: SimpleNetworking
    private let request: SimpleRequest
    private let format: StreamFormat?
    private let head = Locked<SimpleResponse?>(nil)
    private let pieces = Rendezvous<Data>()
    private let phase = Locked(Phase.idle)

    init(_ client: SimpleNetworking, _ request: SimpleRequest, _ format: StreamFormat?) {
        self.client = client
        self.request = request
        self.format = format
    }

    var response: SimpleResponse? { head.withLock { $0 } }

    deinit {
        if case .running(let task) = phase.withLock({ $0 }) { task.cancel() }
    }

    func next() async throws -> Data? {
        let isEnded = phase.withLock { phase in
            if case .idle = phase { phase = .running(run()) }
            guard case .ended = phase else { return false }
            return true
        }
        if isEnded { return nil }
        do {
            if let piece = try await pieces.take() { return piece }
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

    /// Does not hold the reader, so that its end can stop it.
    private func run() -> Task<Void, Never> {
        Task { [client, request, format, pieces, head] in
            let destination = ContentDestination.receiver(
                { part in
                    switch part {
                    case .head(let status, let headers):
                        let url = try? client.url(forPath: request.path, query: request.query)
                        let asked = RequestHead(method: request.method, url: url ?? client.baseURL)
                        let response = SimpleResponse(request: asked, httpStatus: status, headers: headers)
                        head.withLock { $0 = response }
                        try format?.check(response)
                    case .content(let data): try await pieces.give(data)
                    }
                },
                canBeginAgain: { head.withLock { $0 == nil } }
            )
            do {
                _ = try await client.send(request, to: destination, format)
                pieces.finish()
            } catch {
                pieces.finish(throwing: error)
            }
        }
    }
}
