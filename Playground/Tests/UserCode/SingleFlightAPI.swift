import SimpleNetworking

/// Signs in once for any number of requests that are rejected at the same time.
nonisolated class SingleFlightAPI: SimpleNetworking, @unchecked Sendable {
    private let lock = NSLock()
    private var waiting: [() -> Void] = []
    private var isSigningIn = false

    func authenticate(_ callback: @escaping () -> Void) {
        let isFirst = lock.withLock {
            waiting.append(callback)
            defer { isSigningIn = true }
            return !isSigningIn
        }
        guard isFirst else { return }
        get("/auth") { request in
            request
                .on(success: { [weak self] response in
                    guard let self else { return }
                    self.headers["Authorization"] = response.json?["token"] as? String
                    for callback in self.takeWaiting() { callback() }
                })
                .on(error: { [weak self] _ in _ = self?.takeWaiting() })
        }
    }

    override func execute(request: SimpleRequest) {
        if request.httpStatusHandlers[401] == nil {
            request.on(httpStatus: 401) { request, response in
                if response.request.headers["Authorization"] != self.headers["Authorization"] {
                    request.retry()  // rejected with an old token, and there is a newer one already
                } else {
                    self.authenticate { request.retry() }
                }
                return false
            }
        }
        super.execute(request: request)
    }

    private func takeWaiting() -> [() -> Void] {
        lock.withLock {
            defer { (waiting, isSigningIn) = ([], false) }
            return waiting
        }
    }
}
