import SimpleNetworkingFeatureSupport

/// Turns the events of a background session into finished transfers.
///
/// The session calls the methods one at a time.
final class BackgroundReceiver: Sendable {
    /// What has arrived of a task's response.
    private struct Arrival {
        var data = Data()
        var file: Result<URL, any Error>?
    }

    private static let maxSize = 1 << 20

    private let finished: TransferQueue
    private let arrivals = Locked([Int: Arrival]())

    init(_ finished: TransferQueue) { self.finished = finished }

    /// Adds a piece of the response to an upload.
    func receive(_ data: Data, forTask task: Int) {
        arrivals.withLock { arrivals in
            var arrival = arrivals[task] ?? Arrival()
            arrival.data += data.prefix(Self.maxSize - arrival.data.count)
            arrivals[task] = arrival
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
        } else {
            arrival.data = Self.start(of: file)
        }
        arrivals.withLock { $0[task] = arrival }
    }

    /// How a task ended without a response.
    enum Failure {
        /// The app cancelled it.
        case cancelled
        /// The system, and not the app, cancelled it.
        case endedBySystem(any Error)
        case failed(NetworkFailure)
    }

    /// Reports the end of a task.
    func complete(
        describedAs description: String?,
        response: (status: Int, headers: HTTPHeaders)?,
        error: Failure?,
        forTask task: Int
    ) {
        let arrival = arrivals.withLock { $0.removeValue(forKey: task) } ?? Arrival()
        guard let record = description.flatMap(BackgroundRecord.init) else { return }
        let result: Result<SimpleResponse, SimpleNetworkingError> =
            switch error {
            case .cancelled?: .failure(.cancelled(record.head))
            case .endedBySystem(let error)?: .failure(.networkingError(Self.endBySystem(error), record.head))
            case .failed(let failure)?: .failure(.networkingError(failure, record.head))
            case nil: self.result(of: record, arrival, response)
            }
        var file: URL?
        if case (.success, .success(let moved)?) = (result, arrival.file) { file = moved }
        finished.add(FinishedTransfer(id: record.id, file: file, result: result))
    }

    private func result(
        of record: BackgroundRecord,
        _ arrival: Arrival,
        _ response: (status: Int, headers: HTTPHeaders)?
    ) -> Result<SimpleResponse, SimpleNetworkingError> {
        guard let response else {
            return .failure(.networkingError(NetworkFailure(.malformedResponse, detail: "it is no HTTP"), record.head))
        }
        let received = SimpleResponse(
            request: record.head,
            httpStatus: response.status,
            headers: response.headers,
            data: arrival.data
        )
        if let error = received.error { return .failure(error) }
        switch (record.destination(), arrival.file) {
        case (nil, _), (_, .success): return .success(received)
        case (_, .failure(let error)): return .failure(.failed(error, request: record.head, response: received))
        // The app ended after the system had passed on the file.
        case (let file?, nil):
            let error = CocoaError(.fileNoSuchFile, path: file.path)
            return .failure(.failed(error, request: record.head, response: received))
        }
    }

    /// Notes that all events for which the system launched the app were delivered.
    func finishEvents() { finished.finishEvents() }

    private static func endBySystem(_ error: any Error) -> NetworkFailure {
        NetworkFailure(.other, detail: "the system ended the transfer", underlying: error)
    }

    private static func start(of file: URL) -> Data {
        guard let stream = FileStream(file) else { return Data() }
        var bytes = [UInt8](repeating: 0, count: maxSize)
        return Data(bytes[..<max(stream.read(&bytes, maxLength: maxSize), 0)])
    }

    private static func move(_ file: URL, to destination: URL) throws -> URL {
        // This replaces an existing file, but can't move the file to another volume.
        if SystemFiles.move(file.path, to: destination.path) { return destination }
        let copy = destination.appendingPathExtension(UUID().uuidString)
        try FileManager.default.moveItem(at: file, to: copy)
        guard SystemFiles.move(copy.path, to: destination.path) else {
            SystemFiles.remove(copy.path)
            throw CocoaError(.fileWriteUnknown, path: destination.path)
        }
        return destination
    }
}
