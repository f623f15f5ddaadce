import Foundation
import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingTransfers

private struct Failures: EventMonitor {
    func observe(_ event: RequestEvent, of request: ObservedRequest) {}
}

private struct Unsigned: Error {}

class StrictAPI: SimpleNetworking, @unchecked Sendable {
    override func validate(_ response: SimpleResponse) throws {
        try super.validate(response)
        guard response.headers["X-Signature"] != nil else { throw Unsigned() }
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

/// Compiles the samples of the article “Migrating from Alamofire: advanced usage”.
enum MigratingFromAlamofireAdvancedSamples {
    static func makesAClient() {
        let api = SimpleNetworking(host: "api.example.com") { configuration in
            configuration.timeout = 10
            configuration.retryPolicy = RetryPolicy(attempts: 3)
        }
        _ = api
    }

    static func makesAClientOfAConfiguration() {
        let sessionConfiguration = URLSessionConfiguration.ephemeral
        sessionConfiguration.httpAdditionalHeaders = ["X-App": "Shop"]
        let api = SimpleNetworking(host: "api.example.com") { $0.sessionConfiguration = sessionConfiguration }
        _ = api
    }

    static func executes(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let request = SimpleNetworking.get("/user").on(success: { response in print(response.httpStatus) })
        request.execute(on: api)

        let observed = SimpleNetworking(host: "api.example.com") { $0.eventMonitors = [Failures()] }

        let own = SimpleNetworking(baseURL: api.baseURL, session: URLSession(configuration: .default))

        _ = (observed, own)
    }

    static func configures(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let request = SimpleNetworking.get("/film.mp4").download(to: file)
        let progress = request.progressUpdates()
        request.execute(on: api)
        for await update in progress { print(update.fractionReceived ?? 0) }

        api.get("/news") { $0.cachePolicy(.none) }

        api.get("/report") { $0.authenticateBasic(user: "ada", password: "p") }

        struct IssuedToken: Decodable, Sendable {
            let token: Secret
        }
        let bearer = BearerAuthenticator(token: Secret("old")) { refused in
            try await api.send(Request<IssuedToken>.post("/token", body: ["token": refused])).value.token
        }
        let shop = SimpleNetworking(host: "shop.example.com") { $0.authenticator = bearer }

        api.post("/log") { $0.body(data: data, contentType: .text).header("Content-Encoding", "deflate") }

        let still = SimpleNetworking(host: "api.example.com") { $0.redirectPolicy = .never }
        let few = SimpleNetworking(host: "api.example.com") { $0.redirectPolicy = RedirectPolicy(limit: 3) }
        api.get("/latest") { request in
            request.redirects(.follow) { head, _ in head.headers["X-Redirected"] = "yes" }
        }

        api.logLevel = .debug
        let logged = SimpleNetworking(host: "api.example.com") {
            $0.logger = RequestLogger(level: .info) { level, text in log(text) }
        }

        let user = try await api.send(Router.user(7)).value
        api.execute(Router.rename(7, "Ada")) { $0.on(error: { error in print(error) }) }

        api.get("/ping") { $0.on(completion: { result in print(result) }) }

        let name = try await api.send(Request<User>.get("/user")).map(\.name).value

        struct EmptyIsAnObject: ResponseDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                try JSONDecoder.standard.decode(type, from: data.isEmpty ? Data("{}".utf8) : data)
            }
        }

        let lenient = SimpleNetworking(host: "api.example.com") { $0.decoder = EmptyIsAnObject() }

        _ = (shop, still, few, logged, user, name, lenient)
    }

    static func awaits(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let user = try await api.send(Request<User>.get("/user")).value
        let response = try await api.send(SimpleNetworking.post("/log").body(file: file, contentType: .text))

        let film = try await api.download(for: SimpleNetworking.get("/film.mp4"), to: file)

        for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }

        api.get("/feed") { request in
            request.on(noResponse: { request, _ in
                request.retry(after: 5)
                return false
            })
        }

        _ = (user, response, film)
    }
}
