// swift-format-ignore-file
// The forms as the requirements print them.
import DemoServer
import SimpleNetworking
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SimpleNetworking { class var shared: SimpleNetworking { sharedClient } }
nonisolated private let sharedClient = SimpleNetworking(host: "api.example.com")

@Suite(.timeLimit(.minutes(1))) struct PrintedForms {
  @Test func clientsAreMade() throws {
    let myURL = try #require(URL(string: "https://api.example.com/v1"))
    let mySession = URLSession(configuration: .ephemeral)
    let s = mySession
    let dictionary = ["X-App": "demo"]
    do {
      let manager = SimpleNetworking(baseURL: myURL)
      #expect(manager.baseURL == myURL && manager.maxRetries == 3)
    }
    do {
      let manager = SimpleNetworking(baseURL: myURL, session: mySession)
      #expect(manager.baseURL == myURL)
    }
    do {
      let manager = SimpleNetworking(baseURL: myURL, session: s, maxRetries: 2, defaultHeaders: dictionary)
      #expect(manager.maxRetries == 2 && manager.defaultHeaders["x-app"] == "demo")
    }
    do {
      let manager = SimpleNetworking(host: "api.example.com") { $0.timeout = 10 }
      #expect(manager.baseURL.absoluteString == "https://api.example.com" && manager.configuration.timeout == 10)
    }
    #expect(SimpleNetworking.shared.baseURL.host == "api.example.com")
  }

  @Test func handlersAreAddedInTheBuilder() async throws {
    let server = try await DemoServer.start()
    let manager = SimpleNetworking(baseURL: server.baseURL)
    var words: [String] = []
    let request = manager.get("/users/7") {(request) in
      return request.on(error: {(error) in words.append("error") }).on(success: {(response) in print(response.json!) })
    }
    _ = await request.ended()
    let good = manager.get("/hello") {(request) in
      return request.on(error: {(error) in print(error) }).on(success: {(response) in words.append("\(response.json!)") })
    }
    _ = await good.ended()
    #expect(words == ["error", #"["greeting": "Hello, world!"]"#])
    await server.stop()
  }

  @Test func theRequestMayBeIgnored() async throws {
    let server = try await DemoServer.start()
    let manager = SimpleNetworking(baseURL: server.baseURL)
    await withCheckedContinuation { done in
      manager.get("/hello") { $0.on(success: { _ in done.resume() }) }
    }
    await server.stop()
  }

  @Test func requestsAreExecutedLater() async throws {
    let server = try await DemoServer.start()
    let manager = SimpleNetworking(baseURL: server.baseURL)
    await withCheckedContinuation { done in
      SimpleNetworking.get("/hello").on(error: {(error) in print(error) }).on(success: { _ in done.resume() }).execute(on: manager)
    }
    let request = SimpleNetworking.get("/hello"); request.execute(on: manager)
    #expect(await request.ended().isSuccess)
    #expect(await server.log.lines == ["GET /hello", "GET /hello"])
    await server.stop()
  }

  @Test func aStatusHandlerRetriesOnTheManager() async throws {
    let server = try await DemoServer.start()
    let manager = SimpleNetworking(baseURL: server.baseURL)
    let pass = try await manager.send(SimpleNetworking.get("/auth"))
    let value = "Bearer \(pass.json?["token"] as? String ?? "")"
    let request = manager.get("/private") {(req) in
      return req.on(httpStatus: 401, {(request, response) in
        manager.defaultHeaders["Authorization"] = value
        request.retry(on: manager)
        return false
      })
    }
    .on(error: {(error, response) in Issue.record("\(error), \(response?.text ?? "no response")") })
    #expect(await request.ended().isSuccess)
    #expect(await server.log.lines == ["GET /auth", "GET /private", "GET /private"])
    await server.stop()
  }

  @Test func theSubclassSignsInAndRetries() async throws {
    let server = try await DemoServer.start()
    let manager = MyAPIManager(baseURL: server.baseURL)
    let request = manager.get("/private") { $0.on(error: { Issue.record($0) }) }
    #expect(await request.ended().isSuccess)
    #expect(await server.log.lines == ["GET /private", "GET /auth", "GET /private"])
    #expect(manager.token == "demo-token-1")
    await server.stop()
  }
}
