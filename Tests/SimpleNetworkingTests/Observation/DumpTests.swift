import Foundation
import SimpleNetworkingForms
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingPagination

/// What `dump`, `print`, interpolation and debuggers show of everything that a user holds.
@Suite(.timeLimit(.minutes(5)))
struct DumpTests {
    private static let secret = "s3cret-t0ken"

    /// A user's own types keep secrets as plain text.
    private struct Signer: Authenticator, Middleware, EventMonitor {
        let token = DumpTests.secret

        func credential() async throws -> String? { token }
        func sign(_ request: inout TransportRequest, with credential: String) {
            request.headers["X-Signed"] = credential
        }
        func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
            try await next(request)
        }
        func observe(_ event: RequestEvent, of request: ObservedRequest) {}
    }

    private final class Client: SimpleNetworking, @unchecked Sendable {
        var token = DumpTests.secret
    }

    private var url: URL {
        URL(string: "https://ada:\(Self.secret)@example.com/x?access_token=\(Self.secret)&page=2")
            ?? URL(fileURLWithPath: "/")
    }

    private var fields: HTTPHeaders {
        HTTPHeaders(fields: [
            .init("Authorization", "Bearer \(Self.secret)"), .init("X-Own", Self.secret, isSecret: true),
            .init("Cookie", "id=\(Self.secret)"), .init("Set-Cookie", "id=\(Self.secret); Path=/"),
            .init("Proxy-Authorization", Self.secret), .init("X-OTP", Self.secret), .init("X-Pin", Self.secret),
            .init("X-Functions-Key", Self.secret), .init("X-Bearer", Self.secret),
            .init("Authentication", Self.secret), .init("Location", "/y?code=\(Self.secret)"),
            .init("Link", "</y?code=\(Self.secret)>; rel=next"),
        ])
    }

    private var head: RequestHead { RequestHead(method: .post, url: url, headers: fields) }
    private var json: Data { Data(#"{"pin": "\#(Self.secret)", "n": 1}"#.utf8) }

    private var cookie: Cookie? {
        URL(string: "https://example.com/").flatMap { Cookie(setCookie: "id=\(Self.secret); Secure", from: $0) }
    }

    private var response: SimpleResponse {
        SimpleResponse(request: head, httpStatus: 403, headers: fields, data: json)
    }

    private var query: Query { ["access_token": Self.secret, "page": 2] }

    private func configure(_ configuration: inout SimpleNetworking.Configuration) {
        configuration.defaultHeaders = fields
        configuration.defaultHeaders["X-Mine"] = Self.secret
        configuration.secretHeaders = ["X-Mine"]
        configuration.sessionConfiguration.httpAdditionalHeaders = ["Authorization": Self.secret]
        configuration.authenticator = Signer()
        configuration.middleware = [Signer()]
        configuration.eventMonitors = [Signer()]
        configuration.cookieJar = CookieJar()
        if let cookie { configuration.cookieJar?.store(cookie) }
        configuration.logger = .silent
        configuration.transport = StubTransport().on("*", .json("{}"))
    }

    private var request: SimpleRequest {
        SimpleNetworking.post("/x?access_token=\(Self.secret)").query(query)
            .headers(fields.dictionary.filter { $0.key != "X-Own" }).header("X-Own", Self.secret, isSecret: true)
            .authenticateBasic(user: "ada", password: Self.secret)
            .body(json: ["password": Self.secret])
    }

    private var values: [Any] {
        get throws {
            var request = TransportRequest(head: head, body: .data(json))
            request.headers = fields
            var typed = Request<String>(
                path: "/x?access_token=\(Self.secret)",
                query: [("access_token", Self.secret), ("page", "2")],
                body: ["password": Self.secret],
                headers: ["Authorization": Self.secret, "X-Plain": "1"]
            )
            typed.method = .post
            var configuration = SimpleNetworking.Configuration()
            configure(&configuration)
            let jar = CookieJar()
            jar.store(try #require(cookie))
            let link = "/y?code=\(Self.secret)"
            var values: [Any] = [
                head, fields, response, request, typed, configuration, jar, query, query + .raw("token=\(Self.secret)"),
                try #require(cookie), self.request, self.request.copy(), RequestBody.data(json),
                RequestBody.file(url), TransportResponse(httpStatus: 200, headers: fields, data: json),
                Client(baseURL: url, configure: configure), SimpleNetworking(baseURL: url, configure: configure),
                SimpleNetworkingError.clientError(response), SimpleNetworkingError.invalidURL(link, reason: "r"),
                SimpleNetworkingError.networkingError(NetworkFailure(.offline), head),
                NetworkFailure(.other, underlying: URLError(.badURL, userInfo: ["NSErrorFailingURLKey": url])),
                SimpleNetworkingError.cancelled(head), SimpleNetworkingError.redirect(reason: "r", response),
                SimpleNetworkingError.AuthenticationFailure(reason: "r", request: head, response: response),
                RequestEvent.Kind.redirected(status: 302, to: url, removedFields: []),
                RequestEvent.Kind.sent(head, attempt: 1), RequestEvent.Kind.failed(.clientError(response)),
                Result<Int, SimpleNetworkingError>.failure(.clientError(response)),
                LinkHeader("<\(link)>; rel=next"), try #require(LinkHeader("<\(link)>; rel=next").links.first),
                PaginationStyle.Step.link(link), PaginationStyle.Step.query(query),
                PaginationStyle.Info(next: .link(link), previous: .query(query)),
                Page(items: [1], response: response, info: PaginationStyle.Info(next: .link(link))),
                PaginationFailure.repeatedPage(.link(link)), Response(value: 1, response: response),
                Secret(Self.secret), BasicAuthenticator(user: "ada", password: Self.secret),
                BearerAuthenticator(token: Secret(Self.secret)), ResponsePart.head(status: 200, headers: fields),
                ResponsePart.content(json), [head], Optional(head) as Any, ["a": query],
                SimpleNetworking(baseURL: url).pages(
                    of: Int.self,
                    for: self.request,
                    style: .linkHeader()
                ),
            ]
            values += fields.fields
            let session = URLSessionConfiguration.ephemeral
            session.httpAdditionalHeaders = ["Authorization": Self.secret]
            values.append(URLSessionTransport(configuration: session))
            values.append(Multipart().field("password", Self.secret).data("pin", json))
            #if canImport(CLibcurl)
                var curl = CurlConfiguration()
                curl.proxy = CurlConfiguration.Proxy(url, credentials: (user: "ada", password: Self.secret))
                curl.clientCertificate = .init(certificate: url, key: url, password: Self.secret)
                values += [curl, try #require(curl.proxy), try #require(curl.clientCertificate)]
                values.append(try #require(CurlTransport(configuration: curl)))
            #endif
            return values
        }
    }

    @Test
    func noTextOfAnythingShowsASecret() throws {
        for value in try values {
            let leaks = leaks(of: Self.secret, in: value)
            #expect(leaks.isEmpty, "\(type(of: value)): \(leaks.first ?? "")")
        }
    }

    @Test
    func noTextOfWhatHasRunShowsASecret() async throws {
        let server = StubTransport()
            .on("/x", .redirect(to: "/y?code=\(Self.secret)"))
            .on("/y", StubResponse(status: 403, headers: fields, body: json))
        let client = SimpleNetworking(host: "example.com") {
            configure(&$0)
            $0.transport = server
        }
        let request = request.on(error: { _ in })
        let failure = await request.execute(on: client).ended()
        let credential = try await BearerAuthenticator(token: Secret(Self.secret)).credential()
        for value in [
            request, request.trace, failure, client, client.configuration, server.requests, credential as Any,
        ] as [Any] {
            let leaks = leaks(of: Self.secret, in: value)
            #expect(leaks.isEmpty, "\(type(of: value)): \(leaks.first ?? "")")
        }
        for event in request.trace.events { #expect(leaks(of: Self.secret, in: event).isEmpty, "\(event)") }
    }

    /// Hiding everything is of no use.
    @Test
    func dumpShowsValuesThatAreNotSecret() throws {
        var configuration = SimpleNetworking.Configuration()
        configure(&configuration)
        let typed = Request<Int>(path: "/x", query: [("page", "2")], headers: ["X-Plain": "hello"])
        for (value, parts) in [
            (query, ["access_token=‹secret›", "page=2"]), (typed, ["GET", "/x", "page=2", "hello"]),
            (configuration, ["timeout", "60", "Signer", "StubTransport", "X-Own", "maxRetries"]),
            (Client(baseURL: url, configure: configure), ["Client", "example.com", "page=2"]),
            (response, ["403", "POST", "example.com", "\(json.count) bytes"]), (request, ["POST", "/x"]),
            (TransportRequest(head: head, body: .data(json)), ["POST", "example.com", "\(json.count) bytes"]),
            (try #require(cookie), ["id", "example.com", "‹secret›"]),
        ] as [(Any, [String])] {
            var text = ""
            dump(value, to: &text)
            for part in parts { #expect(text.contains(part), "\(part) in \(text)") }
        }
    }
}
