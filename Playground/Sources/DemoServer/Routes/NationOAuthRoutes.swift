import FlyingFox
import Foundation

/// NationBuilder's OAuth pages; the user always agrees, unless the app's name is `unloved`.
struct NationOAuthRoutes: RouteGroup {
    let records: NationRecords

    var routes: [Route] {
        [
            Route("GET /nation/oauth/authorize", "sends the browser back with a token in the fragment") { request in
                await authorize(request)
            },
            Route("GET /nation/logout", "ends the browser's session, and sends it to ?url") { request in
                Self.redirect(to: request.query["url"] ?? "/nation")
            },
            Route("POST /nation/oauth/token", "a token for ada's password, lovelace, in a form or in the query") {
                request in try await token(request)
            },
        ]
    }

    private func authorize(_ request: HTTPRequest) async -> HTTPResponse {
        guard let back = request.query["redirect_uri"], request.query["response_type"] == "token" else {
            return .problem(400, "Say redirect_uri and response_type=token.")
        }
        let state = request.query["state"].map { "&state=\($0)" } ?? ""
        if request.query["client_id"] == "unloved" {
            let reason = "error=access_denied&error_description=The+resource+owner+denied+the+request."
            return Self.redirect(to: "\(back)#\(reason)\(state)")
        }
        let key = await records.issueKey()
        return Self.redirect(to: "\(back)#access_token=\(key)&token_type=bearer\(state)")
    }

    private func token(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = String(bytes: try await request.bodyData, encoding: .utf8) ?? ""
        var fields = URLComponents(string: "?" + form)?.queryItems ?? []
        fields += request.query.map { URLQueryItem(name: $0.name, value: $0.value) }
        func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        guard field("grant_type") == "password", field("username") == "ada", field("password") == "lovelace",
            field("client_secret") == "demo-secret"
        else {
            let refusal = ["error": "invalid_grant", "error_description": "Wrong user name or password."]
            return try .json(refusal, status: .unauthorized)
        }
        return try .json(["access_token": await records.issueKey(), "token_type": "bearer"])
    }

    private static func redirect(to address: String) -> HTTPResponse {
        HTTPResponse(statusCode: .found, headers: HTTPHeaders([.location: address]))
    }
}
