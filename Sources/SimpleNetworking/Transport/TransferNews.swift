/// Holds what a session tells of a transfer until the task that sends asks for it.
struct TransferNews {
    enum Item {
        case part(ResponsePart)
        case end(Result<TransportResponse, any Error>)
    }

    /// Whether the outcome is known: nothing is added any more.
    private(set) var isOver = false
    /// Bytes of content that wait.
    private(set) var waitingBytes = 0
    private var progress: TransferProgress?
    private var arriving: [ResponsePart] = []
    /// The oldest comes last, so that each is let go as soon as it is taken.
    private var leaving: [ResponsePart] = []
    private var outcome: Result<TransportResponse, any Error>?

    var hasItems: Bool { progress != nil || !arriving.isEmpty || !leaving.isEmpty || outcome != nil }

    mutating func add(_ part: ResponsePart) {
        guard !isOver else { return }
        arriving.append(part)
        waitingBytes += part.count
    }

    /// Replaces what was told before and nobody has asked for.
    mutating func tell(_ progress: TransferProgress) {
        if !isOver { self.progress = progress }
    }

    /// Ends behind all that waits, unless there was an end before.
    mutating func end(_ outcome: Result<TransportResponse, any Error>) {
        guard !isOver else { return }
        isOver = true
        self.outcome = outcome
    }

    /// Ends before all that waits.
    mutating func breakOff(_ error: any Error) {
        self = TransferNews()
        end(.failure(error))
    }

    /// Takes the newest progress and what comes next; nil where there is neither.
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
    fileprivate var count: Int {
        if case .content(let data) = self { data.count } else { 0 }
    }
}
