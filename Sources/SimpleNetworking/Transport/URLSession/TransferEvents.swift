/// Holds what a session reports of a transfer until the task that sends takes it.
struct TransferEvents {
    enum Item {
        case part(ResponsePart)
        case end(Result<TransportResponse, any Error>)
    }

    /// Whether the outcome is known: nothing is added anymore.
    private(set) var isOver = false
    /// Bytes of content waiting to be taken.
    private(set) var waitingBytes = 0
    private var progress: TransferProgress?
    private var arriving: [ResponsePart] = []
    /// The oldest comes last, so that each is released as soon as it is taken.
    private var leaving: [ResponsePart] = []
    private var outcome: Result<TransportResponse, any Error>?

    var hasItems: Bool { progress != nil || !arriving.isEmpty || !leaving.isEmpty || outcome != nil }

    mutating func add(_ part: ResponsePart) {
        guard !isOver else { return }
        arriving.append(part)
        waitingBytes += part.count
    }

    /// Replaces progress that has not been taken.
    mutating func report(_ progress: TransferProgress) {
        if !isOver { self.progress = progress }
    }

    /// Ends after all that is waiting, unless there was an end before.
    mutating func end(_ outcome: Result<TransportResponse, any Error>) {
        guard !isOver else { return }
        isOver = true
        self.outcome = outcome
    }

    /// Ends at once: what is waiting is dropped.
    mutating func fail(_ error: any Error) {
        self = TransferEvents()
        end(.failure(error))
    }

    /// Takes the newest progress and the next item; nil if there is neither.
    mutating func take() -> (progress: TransferProgress?, item: Item?)? {
        let taken = (progress: progress, item: takeItem())
        progress = nil
        return taken.progress == nil && taken.item == nil ? nil : taken
    }

    private mutating func takeItem() -> Item? {
        if leaving.isEmpty {
            leaving = arriving.reversed()
            arriving = []
        }
        if let part = leaving.popLast() {
            waitingBytes -= part.count
            return .part(part)
        }
        defer { outcome = nil }
        return outcome.map(Item.end)
    }
}

extension ResponsePart {
    fileprivate var count: Int { if case .content(let data) = self { data.count } else { 0 } }
}
