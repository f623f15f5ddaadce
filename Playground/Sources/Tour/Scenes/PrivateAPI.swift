import SimpleNetworking

/// Signs in by itself: what a program writes once for a server that issues tokens.
class PrivateAPI: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if !request.handles(httpStatus: 401) {
            request.on(httpStatus: 401) { request, _ in
                self.authenticate { request.retry() }
                return false
            }
        }
        super.execute(request: request)
    }

    func authenticate(then retry: @escaping () -> Void) {
        get("/auth") {
            $0.on(success: { [weak self] response in
                self?.headers["X-Authorization"] = response.json?["token"] as? String
                retry()
            })
        }
    }
}
