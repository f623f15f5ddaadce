import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Settings at the ends of their range: none ends the process, and every request ends.
@Suite(.timeLimit(.minutes(5)))
struct ExtremeSettingTests {
    static let integers = [Int.min, -1, 0, 1, .max]
    static let seconds: [TimeInterval] = [-.infinity, -1, 0, 1e-300, 1e308, .infinity, .nan]

    enum Count: CaseIterable {
        case maxRetries, maxResponseSize, attempts, redirects, memoryLimit, diskLimit

        func set(_ value: Int, in configuration: inout SimpleNetworking.Configuration) {
            switch self {
            case .maxRetries: configuration.maxRetries = value
            case .maxResponseSize: configuration.maxResponseSize = value
            case .attempts: configuration.retryPolicy = RetryPolicy(attempts: value, backoff: .constant(0))
            case .redirects: configuration.redirectPolicy = RedirectPolicy(limit: value)
            case .memoryLimit: configuration.cache = ResponseCache(memoryLimit: value)
            case .diskLimit: configuration.cache = ResponseCache(diskLimit: value)
            }
        }
    }

    enum Time: CaseIterable {
        case timeout, deadline, refreshTimeout, maxRetryAfter, backoff, base, factor, cap

        func set(_ value: TimeInterval, in configuration: inout SimpleNetworking.Configuration) {
            switch self {
            case .timeout: configuration.timeout = value
            case .deadline: configuration.deadline = value
            case .refreshTimeout: configuration.refreshTimeout = value
            case .maxRetryAfter:
                configuration.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0))
                configuration.retryPolicy.maxRetryAfter = value
            case .backoff: configuration.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(value))
            case .base: configuration.retryPolicy = Self.policy(base: value)
            case .factor: configuration.retryPolicy = Self.policy(factor: value)
            case .cap: configuration.retryPolicy = Self.policy(cap: value)
            }
        }

        private static func policy(base: Double = 0, factor: Double = 2, cap: Double = 0) -> RetryPolicy {
            RetryPolicy(attempts: 3, backoff: .exponential(base: base, factor: factor, cap: cap))
        }
    }

    @Test(arguments: Count.allCases, integers)
    func requestsEndWithAnyCount(count: Count, value: Int) async throws {
        try await expectEnd { count.set(value, in: &$0) }
    }

    @Test(arguments: Time.allCases, seconds)
    func requestsEndWithAnyTime(time: Time, value: Double) async throws {
        try await expectEnd { time.set(value, in: &$0) }
    }

    #if canImport(CLibcurl) && os(Linux)
        static let curlCounts: [any WritableKeyPath<CurlConfiguration, Int> & Sendable] = [
            \.connectionsPerHost, \.connectionsPerPromptHost, \.connectionsInTotal, \.maxHeaderSize,
        ]

        @Test(arguments: curlCounts.indices, integers)
        func libcurlTakesAnyCount(index: Int, value: Int) async throws {
            try await expectEnd(on: SimpleNetworkingTests.curl { $0[keyPath: Self.curlCounts[index]] = value })
        }

        @Test(arguments: seconds)
        func libcurlTakesAnyTime(value: Double) async throws {
            try await expectEnd(on: SimpleNetworkingTests.curl { $0.connectTimeout = value })
            try await expectEnd(on: SimpleNetworkingTests.curl { $0.idleTimeout = value })
        }
    #endif

    @Test(arguments: [Int.min...(.max), 0...(.max), .min...0, 200...(.max)])
    func statusHandlersTakeAnyRange(statuses: ClosedRange<Int>) async {
        let client = SimpleNetworking(over: StubTransport().on("*", .status(200)), host: "a.test")
        let isHandled = Locked(false)
        let request = client.get("/") {
            $0.acceptable(statuses: HTTPStatuses(statuses)).on(httpStatus: statuses) { _, _ in
                isHandled.withLock { $0 = true }
                return true
            }
        }
        await request.ended()
        #expect(isHandled.withLock { $0 } == statuses.contains(200))
        let set = HTTPStatuses([statuses, 1...2, .min...(.min)].flatMap { [$0.lowerBound, $0.upperBound] })
        #expect(set.contains(statuses.lowerBound))
        #expect(!"\(HTTPStatuses(statuses))\(set)".isEmpty)
    }

    @Test(arguments: integers)
    func pageLimitsTakeAnyNumber(value: Int) async throws {
        let link: HTTPHeaders = ["Link": "</list?page=2>; rel=\"next\""]
        let server = StubTransport().on("/list", .json("[1]", headers: link), times: 1).on("/list", .json("[2]"))
        let client = SimpleNetworking(host: "a.test") { $0.transport = server }
        for limit in [PaginationStyle.Limit.pages(value), .items(value)] {
            for try await _ in client.pages(
                of: Int.self,
                for: SimpleNetworking.get("/list"),
                style: .linkHeader(),
                limit: limit
            ) {}
        }
        #expect(!server.requests.isEmpty || value < 1)
    }

    /// Sends a request that is refused, fails and is redirected before it succeeds.
    private func expectEnd(
        on transport: (any Transport)? = nil,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) async throws {
        let transports = try transport.map { [$0] } ?? Engine.allCases.map { try $0.transport() }
        for transport in transports {
            let count = Locked(0)
            let server = try RawServer { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return switch number {
                case 1: .response(status: 401)
                case 2: .response(status: 503, headers: ["Retry-After": "0"])
                case 3: .response(status: 302, headers: ["Location": "/end"])
                default: .response(body: "{}")
                }
            }
            let client = SimpleNetworking(baseURL: server.url()) {
                $0.transport = transport
                $0.logger = .quiet
                // Some would wait for years before they send again.
                $0.deadline = 3
                configure(&$0)
            }
            let request = client.get("/") {
                $0.on(httpStatus: 401) { request, _ in
                    client.reauthenticate(request) { done in done() }
                    return false
                }
            }
            _ = try await withinSeconds(60) { await request.ended() }
        }
    }
}
