import FlyingFox
import Foundation

/// A secret page, the route that issues tokens for it, and a page behind a user name and password.
struct PrivateRoutes: RouteGroup {
    private let office = TokenOffice()

    var routes: [Route] {
        [
            Route("GET,POST /auth", "a fresh token") { [office] _ in try .json(["token": await office.issue()]) },
            Route("POST /expire", "ends the current token") { [office] _ in
                await office.expire()
                return HTTPResponse(statusCode: .noContent)
            },
            Route("GET /private", "a secret, for the current token (Bearer, or X-Authorization)") { [office] request in
                guard await office.accepts(Self.token(of: request)) else {
                    return .problem(401, "The token is missing or has expired.", headers: [.wwwAuthenticate: "Bearer"])
                }
                return try .json(["secret": "The cake is real."])
            },
            Route("GET /private/basic", "the same for the user ada with the password lovelace") { request in
                guard request.headers[.authorization] == Self.basic else {
                    let challenge = #"Basic realm="demo""#
                    return .problem(401, "Wrong user name or password.", headers: [.wwwAuthenticate: challenge])
                }
                return try .json(["secret": "The cake is real."])
            },
        ]
    }

    private static let basic = "Basic " + Data("ada:lovelace".utf8).base64EncodedString()

    private static func token(of request: HTTPRequest) -> String? {
        if let bare = request.headers[HTTPHeader("X-Authorization")] { return bare }
        guard let field = request.headers[.authorization], field.hasPrefix("Bearer ") else { return nil }
        return String(field.dropFirst(7))
    }
}

extension HTTPHeader {
    fileprivate static let wwwAuthenticate = HTTPHeader("WWW-Authenticate")
}

/// Issues tokens, of which only the last one is valid.
actor TokenOffice {
    private var issued = 0
    private var current: String?

    func issue() -> String {
        issued += 1
        let token = "demo-token-\(issued)"
        current = token
        return token
    }

    func expire() { current = nil }

    func accepts(_ token: String?) -> Bool { token != nil && token == current }
}
