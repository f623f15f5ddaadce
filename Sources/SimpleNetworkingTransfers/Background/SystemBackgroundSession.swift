import SimpleNetworkingFeatureSupport

#if canImport(Darwin)
    import SimpleNetworking

    /// A background `URLSession`, whose events go to a receiver.
    ///
    /// The session retains this object, its delegate, until it is invalid.
    final class SystemBackgroundSession: NSObject, BackgroundSession {
        private let receiver: BackgroundReceiver
        private let session = Locked<URLSession?>(nil)

        init(_ configuration: URLSessionConfiguration, _ receiver: BackgroundReceiver) {
            self.receiver = receiver
            super.init()
            let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
            self.session.withLock { $0 = session }
        }

        func start(_ request: TransportRequest, uploading file: URL?, describedAs description: String) throws {
            guard let session = session.withLock({ $0 }) else {
                throw SimpleNetworkingError.invalidRequest(reason: "the background session is invalid", nil)
            }
            var request = try request.makeURLRequest(isForMock: false)
            // After its own timeout, the system would send the request again.
            request.timeoutInterval = session.configuration.timeoutIntervalForRequest
            let task: URLSessionTask =
                if let file {
                    session.uploadTask(with: request, fromFile: file)
                } else {
                    session.downloadTask(with: request)
                }
            task.taskDescription = description
            task.resume()
        }

        func descriptions() async -> [String] { await tasks().compactMap(\.taskDescription) }

        func cancel(where isCancelled: @escaping @Sendable (_ description: String) -> Bool) async {
            for task in await tasks() where task.taskDescription.map(isCancelled) ?? false { task.cancel() }
        }

        private static func outcome(_ error: any Error) -> BackgroundReceiver.Failure {
            guard let error = error as? URLError else { return .failed(NetworkFailure(.other, underlying: error)) }
            if error.backgroundTaskCancelledReason != nil { return .endedBySystem(error) }
            return error.code == .cancelled ? .cancelled : .failed(NetworkFailure(error))
        }

        private func tasks() async -> [URLSessionTask] {
            guard let session = session.withLock({ $0 }) else { return [] }
            return await withCheckedContinuation { continuation in
                session.getAllTasks { continuation.resume(returning: $0) }
            }
        }
    }

    extension SystemBackgroundSession: URLSessionDownloadDelegate, URLSessionDataDelegate {
        func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
            let status = (downloadTask.response as? HTTPURLResponse)?.statusCode
            let description = downloadTask.taskDescription
            receiver.receive(file, describedAs: description, status: status, forTask: downloadTask.taskIdentifier)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            receiver.receive(data, forTask: dataTask.taskIdentifier)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            receiver.complete(
                describedAs: task.taskDescription,
                response: (task.response as? HTTPURLResponse).map { ($0.statusCode, HTTPHeaders($0)) },
                error: error.map(Self.outcome),
                forTask: task.taskIdentifier
            )
        }

        func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
            self.session.withLock { $0 = nil }
        }

        #if !os(macOS)
            func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { receiver.finishEvents() }
        #endif
    }
#endif
