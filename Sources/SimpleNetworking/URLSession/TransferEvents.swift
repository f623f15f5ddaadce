import SimpleNetworkingSupport

/// Holds a session's reports about a transfer until the task that sends the request takes them.
struct TransferEvents {
    enum Item {
        case interim(Int, HTTPHeaders)
        case part(ResponsePart)
        case end(Result<TransportResponse, any Error>)

        fileprivate var count: Int { if case .part(.content(let data)) = self { data.count } else { 0 } }
    }

    /// Whether the outcome is known, so that nothing more is added.
    private(set) var isOver = false
    private(set) var waitingBytes = 0
    private var interimCount = 0
    private var progress: TransferProgress?
    private var arriving: [Item] = []
    /// The items in reverse order, so that each item is released as soon as it is taken.
    private var leaving: [Item] = []

    var hasItems: Bool { progress != nil || !arriving.isEmpty || !leaving.isEmpty }

    mutating func add(_ part: ResponsePart) { append(.part(part)) }

    /// Adds an interim response, unless the server has sent very many.
    mutating func addInterim(_ status: Int, _ headers: HTTPHeaders) {
        interimCount += 1
        if interimCount <= 100 { append(.interim(status, headers)) }
    }

    /// Replaces progress that hasn't been taken.
    mutating func report(_ progress: TransferProgress) { if !isOver { self.progress = progress } }

    mutating func end(_ outcome: Result<TransportResponse, any Error>) {
        append(.end(outcome))
        isOver = true
    }

    /// Ends at once, and returns the waiting events for the caller to release.
    @discardableResult
    mutating func fail(_ error: any Error) -> TransferEvents {
        let dropped = self
        self = TransferEvents()
        end(.failure(error))
        return dropped
    }

    private mutating func append(_ item: Item) {
        guard !isOver else { return }
        arriving.append(item)
        waitingBytes += item.count
    }

    /// Takes the newest progress and the next item; nil if there is neither progress nor an item.
    mutating func take() -> (progress: TransferProgress?, item: Item?)? {
        guard hasItems else { return nil }
        if leaving.isEmpty {
            leaving = arriving.reversed()
            arriving = []
        }
        let item = leaving.popLast()
        waitingBytes -= item?.count ?? 0
        defer { progress = nil }
        return (progress, item)
    }
}
