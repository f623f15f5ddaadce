import FlyingFox
import Foundation

/// Humon's API in both editions; the app's secret is `demo-secret`.
struct HumonRoutes: RouteGroup {
    private let records = HumonRecords()

    var routes: [Route] {
        [
            Route("POST /humon/v1/users", "a new user, for the secret (tb-app-secret, or X-APP-SECRET)") { request in
                try await makeUser(request)
            },
            Route("POST /humon/v1/events", "makes an event, for a user's token") { request in
                try await save(request) { content, user in await records.add(content, by: user) }
            },
            Route("PATCH /humon/v1/events/:id", "changes an event of the user's own") { request in
                let id = request.routeParameters["id", of: Int.self] ?? 0
                return try await save(request) { content, user in
                    await records.change(id, to: content, by: user) ? id : nil
                }
            },
            Route("GET /humon/v1/events/nearests", "events near ?lat, ?lon within ?radius km, or a message") {
                request in
                try await nearests(request)
            },
            Route("GET /humon/v1/events/:id", "one event") { request in
                let id = request.routeParameters["id", of: Int.self] ?? 0
                guard let event = await records.event(id) else { return Self.empty(.notFound) }
                return try .json(HumonEventResponse(event: event))
            },
            Route("POST /humon/v1/attendances", "says that the user comes to an event") { request in
                try await attend(request)
            },
        ]
    }

    private func makeUser(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = UUID().uuidString
        if request.headers[HTTPHeader("X-APP-SECRET")] == "demo-secret" {
            _ = await records.makeUser(token: token)
            return try .json(["device_token": token])
        }
        switch request.headers[HTTPHeader("tb-app-secret")] {
        case "demo-secret":
            let id = await records.makeUser(token: token)
            return try .json(["auth_token": .text(token), "id": .number(id)] as JSONValue)
        // A build of the server that forgot the token.
        case "tokenless-secret": return try .json(["id": 7])
        default: return Self.empty(.notFound)
        }
    }

    private func save(
        _ request: HTTPRequest,
        _ save: (HumonEventContent, Int) async -> Int?
    ) async throws -> HTTPResponse {
        guard let user = await user(of: request) else { return Self.empty(.unauthorized) }
        guard let content = try? JSONDecoder().decode(HumonEventContent.self, from: await request.bodyData) else {
            return try Self.invalid(["Lat is not a number", "Lon is not a number"])
        }
        guard content.errors.isEmpty else { return try Self.invalid(content.errors) }
        guard let id = await save(content, user) else { return Self.empty(.notFound) }
        return try .json(["id": id])
    }

    private func nearests(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let lat = request.query["lat"].flatMap(Double.init), let lon = request.query["lon"].flatMap(Double.init),
            let radius = request.query["radius"].flatMap(Double.init)
        else { return try Self.invalid(["Lat, lon and radius are numbers"]) }
        let found = await records.events(near: (lat, lon), within: radius)
        if found.isEmpty { return try .json(["message": "No Events Found"]) }
        return try .json(found.map { HumonEventResponse(event: $0) })
    }

    private func attend(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let user = await user(of: request) else { return Self.empty(.unauthorized) }
        let body = try? JSONDecoder().decode([String: [String: Int]].self, from: await request.bodyData)
        guard let id = body?["event"]?["id"], await records.event(id) != nil else { return Self.empty(.notFound) }
        return try .json(["attendances": await records.attend(id, by: user)])
    }

    private func user(of request: HTTPRequest) async -> Int? {
        await records.user(
            withToken: request.headers[HTTPHeader("tb-auth-token")] ?? request.headers[HTTPHeader("X-DEVICE-TOKEN")]
        )
    }

    private static func empty(_ status: HTTPStatusCode) -> HTTPResponse { HTTPResponse(statusCode: status) }

    private static func invalid(_ errors: [String]) throws -> HTTPResponse {
        let problem: JSONValue = ["message": "Validation Failed", "errors": .list(errors.map { .text($0) })]
        return try .json(problem, status: HTTPStatusCode(422, phrase: "Unprocessable Entity"))
    }
}
