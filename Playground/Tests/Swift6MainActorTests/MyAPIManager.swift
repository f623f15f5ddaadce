// swift-format-ignore-file
// The subclass as the requirements print it, with the one word that MainActor as default isolation requires.
import SimpleNetworking

nonisolated class MyAPIManager: SimpleNetworking, @unchecked Sendable {
  var token: String? { didSet { self.headers["X-Authorization"] = token } }  // nil removes the field
  func authenticate(_ callback: @escaping () -> Void) {
    self.get("/auth") {(request) in
      return request.accept(.json).on(success: {[weak self] (response) in
        guard let self = self else { return }
        self.token = response.json?["token"] as? String
        callback()
      })
    }
  }
  override func execute(request: SimpleRequest) {
    if request.httpStatusHandlers[401] == nil {
      request.on(httpStatus: 401, {(request, _) in                           // result discardable
        self.authenticate() { request.retry() }
        return false
      })
    }
    super.execute(request: request)
  }
}
