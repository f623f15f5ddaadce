import SimpleNetworkingSupport

/// Tracks the state of one exchange, and decides how to react to its session's callbacks.
struct ExchangeState {
    private let request: TransportRequest
    private let start = DispatchTime.now().uptimeNanoseconds

    var task: URLSessionTask?
    /// The task, unless a test's subclass created it.
    var foundationsTask: URLSessionTask? { task.flatMap { $0.isFoundationsOwn ? $0 : nil } }
    var earliestCancellation = DispatchTime(uptimeNanoseconds: 0)
    /// Whether the task must no longer be called, because it was cancelled or is about to end by itself.
    var isSettled = false
    /// The number of running Foundation calls that must not overlap with a cancellation.
    private var uses = 0
    /// Whether the task is to be cancelled as soon as the running Foundation calls have returned.
    private var isCancellationDue = false

    #if canImport(Darwin)
        /// Whether the task is suspended because much content is waiting, or because the request is suspended.
        var isPaused = false
        var wantsPause: Bool {
            events.waitingBytes > (isPaused ? 64 << 10 : 256 << 10) || request.suspension?.isSuspended ?? false
        }
    #endif

    var events = TransferEvents()

    var metrics = TransferMetrics()
    private var progress: TransferProgress {
        didSet { if request.progress != nil, progress != oldValue { events.report(progress) } }
    }
    private(set) var response: HTTPURLResponse?
    private var isCompressed = false
    private var isHeadReported = false
    private var body = Data()
    /// The number of decompressed content bytes, including those passed on.
    private var count = 0

    init(_ request: TransportRequest) {
        self.request = request
        let length = request.progress == nil ? nil : request.body.length
        progress = TransferProgress(bytesToSend: length.flatMap { $0 > 0 ? $0 : nil })
    }

    /// Returns whether the task may be used until `endUse()`.
    mutating func beginUse() -> Bool {
        if !isSettled { uses += 1 }
        return !isSettled
    }

    /// Returns whether the task is to be cancelled now.
    mutating func endUse() -> Bool {
        uses -= 1
        return uses == 0 && isCancellationDue
    }

    /// Returns the task if it is to be cancelled now, once.
    mutating func settleByCancelling() -> URLSessionTask? {
        isCancellationDue = uses > 0
        guard uses == 0, !isSettled else { return nil }
        isSettled = task != nil
        return task
    }

    mutating func receive(_ response: HTTPURLResponse) -> Bool {
        guard !events.isOver else { return true }
        self.response = response
        isCompressed = response.isCompressed
        // There may be content from a 401 whose challenge was answered.
        replaceBody(Data())
        metrics.firstByte = metrics.firstByte ?? seconds
        let length = response.announcedBytes(for: request.method)
        if isStreamed(response) {
            reportHead(of: response)
        } else if let length, !isFollowed(response) {
            guard isCompressed || length <= request.maxResponseSize else { return refuseSize(of: response) }
            body.reserveCapacity(min(length, 16 << 20))
        }
        progress.bytesReceived = 0
        progress.bytesToReceive = length
        return true
    }

    /// Receives a piece of content, and returns whether the transfer may continue.
    mutating func receive(_ data: Data) -> Bool {
        guard !events.isOver, !data.isEmpty else { return true }
        count = count.addingSaturated(data.count)
        // The decompressed size doesn't tell how much was transferred.
        if !isCompressed { progress.bytesReceived = count }
        if isHeadReported {
            events.add(.content(data))
        } else if let response, isFollowed(response) {
            // Enough to be able to reuse the connection.
            guard count <= 64 << 10 else {
                finish(response)
                return false
            }
        } else {
            body.append(data)
            guard count <= request.maxResponseSize else { return refuseSize(of: response) }
        }
        return true
    }

    /// Notes the number of bytes sent, which may include bytes sent again after a reused connection broke.
    mutating func send(_ count: Int) { progress.bytesSent = min(count, progress.bytesToSend ?? .max) }

    /// Replaces the content with the content that a session has collected.
    mutating func replaceBody(_ data: Data) {
        body = data
        count = data.count
    }

    /// Ends with the session's final response, or else with the last response that the session reported.
    ///
    /// If the session reported no progress, `sent` is the number of bytes sent.
    mutating func finish(_ last: HTTPURLResponse?, sent: Int? = nil) {
        guard let final = last ?? response else {
            return events.end(.failure(NetworkFailure(.malformedResponse, detail: "it is no HTTP")))
        }
        if isFollowed(final) { body = Data() }
        if isStreamed(final) {
            reportHead(of: final)
            if !body.isEmpty { events.add(.content(body)) }
            body = Data()
        } else if body.count > request.maxResponseSize {
            return _ = refuseSize(of: final)
        }
        let received = final.receivedBytes(ofContent: count, for: request.method)
        if metrics.total == 0 { metrics.total = seconds }
        if metrics.bytesReceived == nil { metrics.bytesReceived = received }
        if metrics.bytesSent == nil { metrics.bytesSent = request.body.length }
        if let sent { progress.bytesSent = sent }
        progress.bytesReceived = received ?? count
        progress.bytesToReceive = final.announcedBytes(for: request.method)
        let status = final.statusCode
        let headers = HTTPHeaders(final)
        events.end(.success(TransportResponse(httpStatus: status, headers: headers, data: body, metrics: metrics)))
        body = Data()
    }

    private mutating func refuseSize(of response: HTTPURLResponse?) -> Bool {
        fail(SimpleNetworkingError.tooLarge(limit: request.maxResponseSize, request.head), after: response)
        body = Data()
        return false
    }

    /// Ends with an error, which follows the head of a response, if there is one.
    mutating func fail(_ error: any Error, after response: HTTPURLResponse?) {
        if let response { reportHead(of: response) }
        events.end(.failure(error))
    }

    /// Whether the response is a redirect that is followed, so that its content is discarded.
    private func isFollowed(_ response: HTTPURLResponse) -> Bool {
        guard request.followsRedirects, RedirectChain.statuses.contains(response.statusCode) else { return false }
        return response.value(forHTTPHeaderField: "Location").map { !$0.isEmpty } ?? false
    }

    private func isStreamed(_ response: HTTPURLResponse) -> Bool {
        guard case .stream = request.sink else { return false }
        return 200..<300 ~= response.statusCode
    }

    private mutating func reportHead(of response: HTTPURLResponse) {
        guard !isHeadReported else { return }
        isHeadReported = true
        events.add(.head(status: response.statusCode, headers: HTTPHeaders(response)))
    }

    private var seconds: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds - start) / 1e9 }
}

#if canImport(Darwin)
    extension TransferMetrics {
        /// Records URLSession's measurements for the last connection of a task.
        mutating func take(_ metrics: URLSessionTaskMetrics) {
            total = metrics.taskInterval.duration
            guard let last = metrics.transactionMetrics.last, let start = last.fetchStartDate else { return }
            func seconds(_ date: Date?) -> TimeInterval? { date.map { $0.timeIntervalSince(start) } }
            nameLookup = seconds(last.domainLookupEndDate)
            connect = seconds(last.connectEndDate)
            secureConnect = seconds(last.secureConnectionEndDate)
            firstByte = seconds(last.responseStartDate) ?? firstByte
            bytesSent = Int(clamping: last.countOfRequestBodyBytesSent)
            bytesReceived = Int(clamping: last.countOfResponseBodyBytesReceived)
            isReusedConnection = last.isReusedConnection
            protocolName = last.networkProtocolName
            remoteAddress = last.remoteAddress
        }
    }
#endif
