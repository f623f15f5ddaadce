import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Plays one case: a client with a cache sends its requests, in a time of its own.
struct CacheCasePlayer: Sendable {
    private let test: CacheCase
    private let content: String
    private let time = Locked(Date(timeIntervalSince1970: 1_800_000_000))
    private let server: CacheCaseServer
    private let cache: ResponseCache
    private let client: SimpleNetworking

    init(_ test: CacheCase) {
        self.test = test
        content = "content of \(test.id)"
        let server = CacheCaseServer(test, content: content, time: time)
        let cache = ResponseCache { [time] in time.withLock { $0 } }
        client = SimpleNetworking(over: server, host: "cache.example.com") {
            $0.cache = cache
            $0.acceptableStatuses = HTTPStatuses(100...999)
            // What these requests send besides credentials tells no accounts apart.
            $0.sharedHeaders = [CacheCaseServer.number, "Abc", "Bar", "Baz", "Foo", "Other"]
            if test.requests.contains(where: { $0.redirect == "manual" }) { $0.redirectPolicy = .never }
        }
        (self.server, self.cache) = (server, cache)
    }

    /// Plays the case, and returns what differs from it; nil if nothing does.
    func play() async -> String? {
        do {
            var responses: [SimpleResponse?] = []
            for index in test.requests.indices {
                responses.append(try await send(index, after: responses.last ?? nil))
                await cache.revalidated()
                if test.requests[index].pauseAfter == true { time.withLock { $0 += 3 } }
            }
            try checkRequests(responses)
            return nil
        } catch {
            return (error as? Unmet)?.reason ?? "\(error)"
        }
    }

    private func send(_ index: Int, after previous: SimpleResponse?) async throws -> SimpleResponse? {
        let asked = test.requests[index]
        guard asked.expectedInterimResponses?.isEmpty != false else { throw Unmet("a client reads no 1xx") }
        let method = HTTPMethod(rawValue: asked.requestMethod ?? "GET")
        var path = "/test/\(test.id)" + (asked.filename.map { "/" + $0 } ?? "")
        path += asked.queryArg.map { "?" + $0 } ?? ""
        let request = SimpleRequest(method, path: path).header(CacheCaseServer.number, "\(index + 1)")
        let now = previous?.headers["Server-Now"].flatMap(TimeInterval.init) ?? 0
        var headers = HTTPHeaders()
        for field in asked.requestHeaders ?? [] {
            headers.append(field.name, field.text(in: asked, now: Date(timeIntervalSince1970: now), path: ""))
        }
        for name in headers.names { request.header(name, headers[name]) }
        if let body = asked.requestBody { request.body(text: body) }
        if let policy = asked.policy { request.cachePolicy(policy) }
        let outcome = await request.execute(on: client).ended()
        guard let response = outcome.value ?? outcome.error?.response else {
            // Where a gateway responds with an error of its own, a client ends with it.
            if asked.disconnect == true, asked.expectedType == nil { return nil }
            throw Unmet("request \(index + 1) ended without a response: \(outcome)")
        }
        try check(response, to: asked, number: index + 1)
        return response
    }

    private func check(_ response: SimpleResponse, to asked: CacheCase.Request, number: Int) throws {
        let headers = response.headers
        let served = headers["Server-Request-Count"].flatMap(Int.init)
        let numbers = (headers["Request-Numbers"] ?? "").split(separator: " ")
        if Set(numbers).count < numbers.count { throw Unmet("a request was sent again") }
        switch asked.expectedType {
        case .cached?:
            let isCached = served.map { $0 < number } ?? (response.httpStatus == 304)
            if !isCached { throw Unmet("response \(number) does not come from the cache") }
        case .fetched? where served != number: throw Unmet("response \(number) comes from the cache")
        default: break
        }
        let status = asked.expectedStatus ?? asked.responseStatus?.code ?? 200
        if response.httpStatus != status {
            throw Unmet("response \(number) has status \(response.httpStatus), not \(status)")
        }
        for check in asked.expectedResponseHeaders ?? [] where !check.holds(for: headers, in: asked) {
            throw Unmet("response \(number) lacks \(check): \(headers)")
        }
        for check in asked.expectedResponseHeadersMissing ?? [] where check.isFound(in: headers) {
            throw Unmet("response \(number) has \(check): \(headers)")
        }
        guard asked.checkBody != false else { return }
        var text = asked.expectedResponseText ?? asked.responseBody
        if text == nil, ![204, 304].contains(response.httpStatus), asked.requestMethod != "HEAD" { text = content }
        if let text, response.text != text {
            throw Unmet("response \(number) has the content \(response.text ?? "none"), not \(text)")
        }
    }

    /// Checks what the server got.
    private func checkRequests(_ responses: [SimpleResponse?]) throws {
        var exchanges = server.exchanges[...]
        for (index, asked) in test.requests.enumerated() where asked.expectedType != .cached {
            let number = index + 1
            let exchange = exchanges.popFirst()
            if asked.expectedType == .fetched, exchange?.number != number {
                throw Unmet("request \(number) was not sent")
            }
            let headers = exchange?.request.headers ?? [:]
            if let condition = asked.expectedType?.condition, !headers.contains(condition) {
                throw Unmet("request \(number) has no \(condition)")
            }
            for check in asked.expectedRequestHeaders ?? [] where !check.holds(for: headers, in: asked) {
                throw Unmet("request \(number) lacks \(check): \(headers)")
            }
            for check in asked.expectedRequestHeadersMissing ?? [] where check.isFound(in: headers) {
                throw Unmet("request \(number) has \(check): \(headers)")
            }
            if let method = asked.expectedMethod, exchange?.request.method.rawValue != method {
                throw Unmet("request \(number) was not sent as \(method)")
            }
            for field in exchange?.expected ?? [:] where !field.name.isSameFieldName(as: "Date") {
                let received = responses[index]?.headers[field.name]
                if received != field.value {
                    throw Unmet("response \(number) has \(field.name): \(received ?? "none"), not \(field.value)")
                }
            }
        }
    }
}

extension CacheCase.Request {
    /// What the mode of `fetch()` means here.
    fileprivate var policy: CachePolicy? {
        switch cache {
        case "no-store"?: CachePolicy.none
        case "reload"?: .reload
        case "no-cache"?: .revalidate
        case "only-if-cached"?: .onlyCached
        default: nil
        }
    }
}

extension CacheCase.Check {
    /// Whether a field is as it must be.
    fileprivate func holds(for headers: HTTPHeaders, in asked: CacheCase.Request) -> Bool {
        switch self {
        case .present(let name): return headers.contains(name)
        case .value(let field):
            let now = headers["Server-Now"].flatMap(TimeInterval.init) ?? 0
            let path = headers["Server-Base-Url"] ?? ""
            return headers[field.name]
                == field.text(in: asked, now: Date(timeIntervalSince1970: now), path: path)
        case .same(let name, let other): return headers.contains(name) && headers[name] == headers[other]
        case .above(let name, let number): return headers[name].flatMap(Int.init).map { $0 > number } ?? false
        }
    }

    /// Whether a field is there that must not be, with a value if one is named.
    fileprivate func isFound(in headers: HTTPHeaders) -> Bool {
        guard case .value(let field) = self, case .text(let text) = field.value else {
            if case .present(let name) = self { return headers.contains(name) }
            return false
        }
        return headers[field.name]?.contains(text) ?? false
    }
}
