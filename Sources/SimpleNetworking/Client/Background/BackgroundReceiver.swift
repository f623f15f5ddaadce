/// Turns the events of a background session into finished transfers.
///
/// The session calls the methods one at a time.
final class BackgroundReceiver: Sendable {
    /// What has arrived of a task's response.
    private struct Arrival {
        var data = Data()
        var file: Result<URL, any Error>?
    }

    private struct State {
        var arrivals: [Int: Arrival] = [:]
        var completionHandler: (@Sendable () -> Void)?
        /// Whether all events were delivered before anybody waited for that.
        var hasDelivered = false
    }

    private static let maxSize = 1 << 20

    private let finished: AsyncStream<FinishedTransfer>.Continuation
    private let state = Locked(State())

    init(_ finished: AsyncStream<FinishedTransfer>.Continuation) { self.finished = finished }

    deinit { finished.finish() }

    /// Adds a piece of the response to an upload.
    func receive(_ data: Data, forTask task: Int) {
        state.withLock { state in
            var arrival = state.arrivals[task] ?? Arrival()
            arrival.data += data.prefix(Self.maxSize - arrival.data.count)
            state.arrivals[task] = arrival
        }
    }

    /// Takes the file of a download before this method returns, because the system then removes the file.
    func receive(_ file: URL, describedAs description: String?, status: Int?, forTask task: Int) {
        guard let record = description.flatMap(BackgroundRecord.init), let destination = record.destination() else {
            return
        }
        var arrival = Arrival()
        if let status, (200...299).contains(status) {
            arrival.file = Result { try Self.move(file, to: destination) }
        } else if let handle = try? FileHandle(forReadingFrom: file) {
            arrival.data = (try? handle.read(upToCount: Self.maxSize)) ?? Data()
            try? handle.close()
        }
        state.withLock { $0.arrivals[task] = arrival }
    }

    /// Reports the end of a task.
    func complete(
        describedAs description: String?,
        response: HTTPURLResponse?,
        error: (any Error)?,
        forTask task: Int
    ) {
        let arrival = state.withLock { $0.arrivals.removeValue(forKey: task) } ?? Arrival()
        guard let record = description.flatMap(BackgroundRecord.init) else { return }
        let result = result(of: record, arrival, response, error)
        var file: URL?
        if case (.success, .success(let moved)?) = (result, arrival.file) { file = moved }
        finished.yield(FinishedTransfer(id: record.id, file: file, result: result))
    }

    private func result(
        of record: BackgroundRecord,
        _ arrival: Arrival,
        _ response: HTTPURLResponse?,
        _ error: (any Error)?
    ) -> Result<SimpleResponse, SimpleNetworkingError> {
        let request = TransportRequest(head: record.head)
        if let error {
            let failure = request.failure(for: error, hasResponse: response != nil)
            return .failure(SimpleNetworkingError(failure, head: record.head))
        }
        guard let response else {
            let failure = NetworkFailure(.malformedResponse, detail: "it is no HTTP")
            return .failure(.networkingError(failure, record.head))
        }
        let received = SimpleResponse(
            request: record.head,
            httpStatus: response.statusCode,
            headers: HTTPHeaders(response),
            data: arrival.data
        )
        if let error = received.error { return .failure(error) }
        if case .failure(let error)? = arrival.file {
            return .failure(.failed(error, request: record.head, response: received))
        }
        return .success(received)
    }

    /// Notes that all events for which the system launched the app were delivered.
    func finishEvents() {
        let handler = state.withLock { state in
            state.hasDelivered = state.completionHandler == nil
            defer { state.completionHandler = nil }
            return state.completionHandler
        }
        if let handler { DispatchQueue.main.async(execute: handler) }
    }

    func waitForEvents(_ completionHandler: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            defer { state.hasDelivered = false }
            if !state.hasDelivered { state.completionHandler = completionHandler }
            return state.hasDelivered
        }
        if isDue { DispatchQueue.main.async(execute: completionHandler) }
    }

    private static func move(_ file: URL, to destination: URL) throws -> URL {
        // This replaces an existing file, but can't move the file to another volume.
        if SystemFiles.move(file.path, to: destination.path) { return destination }
        let files = FileManager.default
        let copy = destination.appendingPathExtension("partial")
        try? files.removeItem(at: copy)
        try files.moveItem(at: file, to: copy)
        guard SystemFiles.move(copy.path, to: destination.path) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: destination.path])
        }
        return destination
    }
}
