import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

private struct Failures: EventMonitor {
    func observe(_ event: RequestEvent, of request: ObservedRequest) {}
}

private struct WrongType: Error {}

class StrictAPI: SimpleNetworking, @unchecked Sendable {
    override func validate(_ response: SimpleResponse) throws {
        try super.validate(response)
        guard response.headers["Content-Type"]?.hasPrefix("application/json") == true else { throw WrongType() }
    }
}

private func sign(_ url: URL) async throws -> String { url.path }

class SignedShopAPI: SimpleNetworking, @unchecked Sendable {
    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        attempt.headers["X-Signature"] = try await sign(attempt.url)
    }

    override func shouldRetry(
        _ request: SimpleRequest,
        error: SimpleNetworkingError,
        attempt: Int
    ) async throws -> Bool {
        error.httpStatus == 409 && attempt < 3
    }
}

private func log(_ text: String) {}

enum Router {
    static func user(_ id: Int) -> Request<User> { .get("/users/\(id)") }
    static func rename(_ id: Int, _ name: String) -> Request<Void> { .patch("/users/\(id)", body: ["name": name]) }
}

/// Runs the samples of the article “Migrating from Alamofire: advanced usage”.
@Suite(.timeLimit(.minutes(5)))
struct MigratingFromAlamofireAdvancedSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    func makesAClient() {
        let api = SimpleNetworking(host: "api.example.com") { configuration in
            configuration.timeout = 10
            configuration.retryPolicy = RetryPolicy(attempts: 3)
        }
        _ = api
    }

    func makesAClientOfAConfiguration() {
        let sessionConfiguration = URLSessionConfiguration.ephemeral
        sessionConfiguration.httpAdditionalHeaders = ["X-App": "Shop"]
        let api = SimpleNetworking(host: "api.example.com") { $0.sessionConfiguration = sessionConfiguration }
        _ = api
    }

    func compiles2(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let request = SimpleNetworking.get("/user").on(success: { response in print(response.httpStatus) })
        request.execute(on: api)
    }

    func compiles3(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let observed = SimpleNetworking(host: "api.example.com") { $0.eventMonitors = [Failures()] }
        _ = observed
    }

    func compiles4(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let own = SimpleNetworking(baseURL: api.baseURL, session: URLSession(configuration: .default))
        _ = own
    }

    func compiles5(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let request = SimpleNetworking.get("/film.mp4").download(to: file)
        let progress = request.progressUpdates()
        request.execute(on: api)
        for await update in progress { print(update.fractionReceived ?? 0) }
    }

    func compiles6(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/news") { $0.cachePolicy(.none) }
    }

    func compiles7(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/report") { $0.authenticateBasic(user: "ada", password: "p") }
    }

    func compiles8(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        struct IssuedToken: Decodable, Sendable {
            let token: Secret
        }
        let bearer = BearerAuthenticator(token: Secret("old")) { refused in
            try await api.send(Request<IssuedToken>.post("/token", body: ["token": refused])).value.token
        }
        let shop = SimpleNetworking(host: "shop.example.com") { $0.authenticator = bearer }
        _ = shop
    }

    func compiles9(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.post("/log") { $0.body(data: data, contentType: .text).header("Content-Encoding", "deflate") }
    }

    func compiles10(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let still = SimpleNetworking(host: "api.example.com") { $0.redirectPolicy = .never }
        let few = SimpleNetworking(host: "api.example.com") { $0.redirectPolicy = RedirectPolicy(limit: 3) }
        _ = (still, few)
    }

    func compiles11(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.logLevel = .debug
        let logged = SimpleNetworking(host: "api.example.com") {
            $0.logger = RequestLogger(level: .info) { level, text in log(text) }
        }
        _ = logged
    }

    func compiles12(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let user = try await api.send(Router.user(7)).value
        api.execute(Router.rename(7, "Ada")) { $0.on(error: { error in print(error) }) }
        _ = user
    }

    func compiles13(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/ping") { $0.on(completion: { result in print(result) }) }
    }

    func compiles14(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let name = try await api.send(Request<User>.get("/user")).map(\.name).value
        _ = name
    }

    func compiles15(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        struct EmptyIsAnObject: ResponseDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                try JSONDecoder.standard.decode(type, from: data.isEmpty ? Data("{}".utf8) : data)
            }
        }

        let lenient = SimpleNetworking(host: "api.example.com") { $0.decoder = EmptyIsAnObject() }
        _ = lenient
    }

    func compiles16(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let user = try await api.send(Request<User>.get("/user")).value
        let response = try await api.send(SimpleNetworking.post("/log").body(file: file, contentType: .text))
        _ = (user, response)
    }

    func compiles17(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let film = try await api.download(for: SimpleNetworking.get("/film.mp4"), to: file)
        _ = film
    }

    func compiles18(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }
    }

    func compiles19(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/feed") { request in
            request.on(noResponse: { request, _ in
                request.retry(after: 5)
                return false
            })
        }
    }
}
