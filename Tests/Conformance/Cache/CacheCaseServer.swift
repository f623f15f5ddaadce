import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// The server of one case, which knows by a field of the request which of the case's requests it gets.
final class CacheCaseServer: Transport {
    /// What the server got and sent.
    struct Exchange: Sendable {
        let number: Int
        let request: TransportRequest
        /// The fields that the client must receive.
        let expected: HTTPHeaders
    }

    static let number = "Req-Num"

    let time: Locked<Date>
    private let requests: [CacheCase.Request]
    private let content: String
    private let state = Locked((exchanges: [Exchange](), sent: [Int: HTTPHeaders]()))

    init(_ test: CacheCase, content: String, time: Locked<Date>) {
        (requests, self.content, self.time) = (test.requests, content, time)
    }

    var exchanges: [Exchange] { state.withLock(\.exchanges) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let number = request.headers[Self.number].flatMap(Int.init), requests.indices.contains(number - 1) else {
            throw Unmet("a request that the case doesn't have")
        }
        let asked = requests[number - 1]
        if let pause = asked.responsePause { time.withLock { $0 += TimeInterval(pause) } }
        let now = time.withLock { $0 }
        return try state.withLock { state in
            let count = state.exchanges.count + 1
            var headers: HTTPHeaders = [
                "Server-Base-Url": request.url.path, "Server-Request-Count": "\(count)",
                "Client-Request-Count": "\(number)", "Server-Now": "\(Int(now.timeIntervalSince1970))",
            ]
            var own = HTTPHeaders()
            var expected = HTTPHeaders()
            for field in asked.responseHeaders ?? [] {
                own.append(field.name, field.text(in: asked, now: now, path: request.url.path))
                if field.isExpected { expected[field.name] = own[field.name] }
            }
            for field in own { headers[field.name] = nil }
            for field in own { headers.append(field.name, field.value) }
            if !headers.contains("Content-Type") { headers["Content-Type"] = "text/plain" }
            // A server that has a clock sends it.
            if !headers.contains("Date") { headers["Date"] = CacheCase.Field.date(now) }
            let numbers = state.exchanges.map(\.number) + [number]
            headers["Request-Numbers"] = numbers.map(String.init).joined(separator: " ")
            let previous = number > 1 ? requests[number - 2].responseHeaders ?? [] : []
            let status = asked.status(for: request, after: previous, sent: state.sent[number - 1] ?? [:])
            state.exchanges.append(Exchange(number: number, request: request, expected: expected))
            state.sent[number] = headers
            if asked.disconnect == true { throw NetworkFailure(.connectionLost) }
            let hasContent = ![204, 304].contains(status) && request.method != .head
            let body = hasContent ? Data((asked.responseBody ?? content).utf8) : Data()
            return TransportResponse(httpStatus: status, headers: headers, data: body)
        }
    }
}

/// Why a case is not met.
struct Unmet: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension CacheCase.Request {
    /// The server's status; 999 in place of the 304 to a request that should have been conditional.
    ///
    /// The validators are those of the request before, which may not have reached the server.
    fileprivate func status(
        for request: TransportRequest,
        after previous: [CacheCase.Field],
        sent: HTTPHeaders
    ) -> Int {
        guard expectedType?.condition != nil else { return responseStatus?.code ?? 200 }
        let isValid = previous.contains { field in
            guard
                let condition = ["etag": "If-None-Match", "last-modified": "If-Modified-Since"][
                    field.name.lowercased()
                ],
                let requested = request.headers[condition]
            else { return false }
            if case .text(let validator) = field.value { return requested == validator }
            return requested == sent[field.name]
        }
        return isValid ? 304 : 999
    }
}

extension CacheCase.Field {
    private static let dates = ["date", "expires", "last-modified", "if-modified-since", "if-unmodified-since"]
    private static let locations = ["location", "content-location"]

    /// The value as it is sent.
    func text(in request: CacheCase.Request, now: Date, path: String) -> String {
        let name = name.lowercased()
        switch value {
        case .number(let offset) where Self.dates.contains(name):
            let isOld = request.rfc850date?.contains(name) == true
            return Self.date(now + TimeInterval(offset), isOld ? "EEEE, dd-MMM-yy HH:mm:ss 'GMT'" : Self.usual)
        case .number(let number): return String(number)
        case .text(let text) where request.magicLocations == true && Self.locations.contains(name):
            return text.isEmpty ? path : path + "/" + text
        case .text(let text): return text
        }
    }

    private static let usual = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"

    static func date(_ date: Date, _ format: String = usual) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = format
        return formatter.string(from: date)
    }
}
