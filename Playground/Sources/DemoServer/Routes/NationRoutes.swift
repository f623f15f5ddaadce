import FlyingFox
import Foundation

/// A part of NationBuilder's API; the key is `demo-key`, or one from OAuth.
struct NationRoutes: RouteGroup {
    let records: NationRecords

    var routes: [Route] {
        [
            Route("GET /nation/api/v1/people", "people, page by page: by ?token_paginator=1, or ?page and ?per_page") {
                request in try await list(request)
            },
            Route("GET /nation/api/v1/people/count", "how many people there are") { request in
                try await respond(request) { try Self.json(["people_count": .number(await records.people.count)]) }
            },
            Route("GET /nation/api/v1/people/me", "the owner of the key") { request in
                try await respond(request) { try await Self.person(records.person(1)) }
            },
            Route("GET /nation/api/v1/people/:id", "one of the people") { request in
                try await respond(request) { try await Self.person(records.person(Self.id(of: request))) }
            },
            Route("POST /nation/api/v1/people", "adds a person with a new e-mail address") { request in
                try await respond(request) {
                    let body = try JSONDecoder().decode(JSONValue.self, from: await request.bodyData)
                    guard let person = await records.add(body["person"] ?? nil) else { return try Self.taken() }
                    return try Self.json(["person": person], status: .created)
                }
            },
            Route("PUT /nation/api/v1/people/:id", "changes a person") { request in
                try await respond(request) {
                    let body = try JSONDecoder().decode(JSONValue.self, from: await request.bodyData)
                    return try await Self.person(records.change(Self.id(of: request), to: body["person"] ?? nil))
                }
            },
            Route("DELETE /nation/api/v1/people/:id", "removes a person") { request in
                try await respond(request) {
                    guard await records.remove(Self.id(of: request)) else { return try Self.person(nil) }
                    return HTTPResponse(statusCode: .noContent, headers: Self.fields)
                }
            },
            Route("GET /nation/api/v1/broken/:kind", "bad responses: empty, html, code, keyless, list") { request in
                try await respond(request) { try Self.broken(request.routeParameters["kind"] ?? "") }
            },
            Route("POST /nation/revoke", "ends all keys") { _ in
                await records.revokeKeys()
                return HTTPResponse(statusCode: .noContent)
            },
        ]
    }

    /// Checks the key first, in the query or in the header.
    private func respond(
        _ request: HTTPRequest,
        _ make: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let bearer = request.headers[.authorization].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
        guard await records.accepts(request.query["access_token"] ?? bearer) else {
            let refusal: JSONValue = [
                "code": "unauthorized", "message": "You are not authorized to access this content.",
            ]
            return try Self.json(refusal, status: .unauthorized)
        }
        return try await make()
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await respond(request) {
            let people = await records.people
            let size = (request.query["limit"] ?? request.query["per_page"]).flatMap { Int($0) } ?? 10
            guard size > 0 else { return try Self.invalid("limit must be positive") }
            let isToken = request.query["token_paginator"] == "1"
            let number = (request.query[isToken ? "__token" : "page"]).flatMap { Int($0) } ?? 1
            let pages = (people.count + size - 1) / size
            let results = JSONValue.list(Array(people.dropFirst((number - 1) * size).prefix(size)))
            guard isToken else {
                return try Self.json([
                    "results": results, "page": .number(number), "per_page": .number(size),
                    "total_pages": .number(pages), "total": .number(people.count),
                ])
            }
            func link(_ page: Int) -> JSONValue {
                guard (1...max(pages, 1)).contains(page) else { return nil }
                return .text("/api/v1/people?__nonce=4711&__token=\(page)&limit=\(size)")
            }
            return try Self.json(["results": results, "next": link(number + 1), "prev": link(number - 1)])
        }
    }

    private static func broken(_ kind: String) throws -> HTTPResponse {
        switch kind {
        case "empty": HTTPResponse(statusCode: .ok, headers: fields)
        case "html": HTTPResponse(statusCode: .ok, headers: fields, body: Data("<html>".utf8))
        case "code": try json(["code": "server_busy", "message": "Come back later."])
        case "keyless": try json(["no": "results"])
        case "list": try json([1, 2])
        default: try person(nil)
        }
    }

    private static func id(of request: HTTPRequest) -> Int { request.routeParameters["id", of: Int.self] ?? 0 }

    private static func person(_ person: JSONValue?) throws -> HTTPResponse {
        if let person { return try json(["person": person]) }
        return try json(["code": "not_found", "message": "Record not found"], status: .notFound)
    }

    private static func taken() throws -> HTTPResponse { try invalid("email has already been taken") }

    private static func invalid(_ reason: String) throws -> HTTPResponse {
        let problem: JSONValue = [
            "code": "validation_failed", "message": "Validation Failed.", "validation_errors": [.text(reason)],
        ]
        return try json(problem, status: .badRequest)
    }

    private static var fields: HTTPHeaders {
        HTTPHeaders(Dictionary(uniqueKeysWithValues: NationRecords.rateLimit.map { (HTTPHeader($0.key), $0.value) }))
    }

    private static func json(_ value: JSONValue, status: HTTPStatusCode = .ok) throws -> HTTPResponse {
        let limits = NationRecords.rateLimit.map { (HTTPHeader($0.key), $0.value) }
        return try .json(value, status: status, headers: Dictionary(uniqueKeysWithValues: limits))
    }
}
