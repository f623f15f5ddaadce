/// Keeps what is known of one exchange, and decides what follows from what its session tells.
struct ExchangeState {
    private let request: TransportRequest
    private let start = DispatchTime.now().uptimeNanoseconds

    /// The session's task, from its start to its end.
    var task: URLSessionTask?
    var earliestCancellation = DispatchTime(uptimeNanoseconds: 0)
    /// Whether the task must be left alone: it was cancelled, or will end by itself at once.
    var isSettled = false

    #if canImport(Darwin)
        /// Whether the task is suspended, since much content waits.
        var isPaused = false
        var wantsPause: Bool { news.waitingBytes > (isPaused ? 64 << 10 : 256 << 10) }
    #endif

    /// What the task that sends has still to hear.
    var news = TransferNews()
    var waiter: CheckedContinuation<Void, Never>?

    var metrics = TransferMetrics()
    private var progress: TransferProgress
    private var toldProgress: TransferProgress
    private(set) var response: HTTPURLResponse?
    private var isCompressed = false
    private var isHeadTold = false
    private var body = Data()
    /// Bytes of content, decompressed, those that were passed on included.
    private var count = 0

    init(_ request: TransportRequest) {
        self.request = request
        let length = request.progress == nil ? nil : request.body.length
        progress = TransferProgress(bytesToSend: length.flatMap { $0 > 0 ? $0 : nil })
        toldProgress = progress
    }

    // MARK: - While it comes

    /// Takes a head, and tells whether the transfer may go on.
    mutating func receive(_ response: HTTPURLResponse) -> Bool {
        guard !news.isOver else { return true }
        self.response = response
        isCompressed = response.isCompressed
        // Of an answer to a challenge that was met there may be some already.
        body = Data()
        count = 0
        metrics.firstByte = metrics.firstByte ?? seconds
        progress.bytesReceived = 0
        progress.bytesToReceive = response.announcedBytes(for: request.method)
        if isStreamed(response) {
            tellHead(of: response)
        } else if let length = progress.bytesToReceive {
            guard isCompressed || length <= request.maxResponseSize else { return refuseSize() }
            body.reserveCapacity(min(length, 16 << 20))
        }
        tellProgress()
        return true
    }

    /// Takes a piece of content, and tells whether the transfer may go on.
    mutating func receive(_ data: Data) -> Bool {
        guard !news.isOver, !data.isEmpty else { return true }
        count += data.count
        // What comes decompressed says nothing of what came over the wire.
        if !isCompressed {
            progress.bytesReceived = count
            tellProgress()
        }
        if isHeadTold {
            news.add(.content(data))
        } else {
            body.append(data)
            guard count <= request.maxResponseSize else { return refuseSize() }
        }
        return true
    }

    /// Takes how much was sent in all; some of it twice, where a kept connection turned out to be closed.
    mutating func send(_ count: Int) {
        progress.bytesSent = min(count, progress.bytesToSend ?? .max)
        tellProgress()
    }

    // MARK: - The end

    /// Replaces the content by what a session has collected.
    mutating func replaceBody(_ data: Data) {
        body = data
        count = data.count
    }

    /// Ends with what the session calls the answer, or else the last one it told of, and tells whether it was acceptable.
    ///
    /// `sent` is how much content was sent, where the session has not told on the way.
    mutating func finish(_ last: HTTPURLResponse?, sent: Int? = nil) -> Bool {
        guard let answer = last ?? response else {
            news.end(.failure(NetworkFailure(.malformedResponse, detail: "it is no HTTP")))
            return true
        }
        if isStreamed(answer) {
            tellHead(of: answer)
            if !body.isEmpty { news.add(.content(body)) }
            body = Data()
        } else if body.count > request.maxResponseSize {
            return refuseSize()
        }
        let received = answer.receivedBytes(ofContent: count, for: request.method)
        if metrics.total == 0 { metrics.total = seconds }
        if metrics.bytesReceived == nil { metrics.bytesReceived = received }
        if metrics.bytesSent == nil { metrics.bytesSent = request.body.length }
        if let sent { progress.bytesSent = sent }
        progress.bytesReceived = received ?? count
        progress.bytesToReceive = answer.announcedBytes(for: request.method)
        tellProgress()
        let headers = HTTPHeaders(answer)
        news.end(
            .success(TransportResponse(status: answer.statusCode, headers: headers, body: body, metrics: metrics))
        )
        body = Data()
        return true
    }

    private mutating func refuseSize() -> Bool {
        news.end(.failure(SimpleNetworkingError.tooLarge(limit: request.maxResponseSize, request.head)))
        body = Data()
        return false
    }

    // MARK: - What is told

    private func isStreamed(_ response: HTTPURLResponse) -> Bool {
        guard case .stream = request.sink else { return false }
        return 200..<300 ~= response.statusCode
    }

    private mutating func tellHead(of response: HTTPURLResponse) {
        guard !isHeadTold else { return }
        isHeadTold = true
        news.add(.head(status: response.statusCode, headers: HTTPHeaders(response)))
    }

    private mutating func tellProgress() {
        guard request.progress != nil, progress != toldProgress else { return }
        news.tell(progress)
        toldProgress = progress
    }

    private var seconds: TimeInterval {
        TimeInterval(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }
}
