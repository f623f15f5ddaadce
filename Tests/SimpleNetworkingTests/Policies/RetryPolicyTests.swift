import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore

struct RetryPolicyTests {
    private let policy = RetryPolicy(attempts: 3)
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(arguments: [
        (200, false), (301, false), (400, false), (401, false), (404, false), (408, true), (425, false), (429, true),
        (500, true), (501, false), (502, true), (503, true), (504, true), (505, false),
    ])
    func statusesThatMayPassAreRepeated(status: Int, isRepeated: Bool) throws {
        #expect(try (delay(.status(status, [:])) != nil) == isRepeated)
    }

    @Test(arguments: [
        (NetworkFailure.Kind.cannotConnect, true), (.cannotFindHost, true), (.connectionLost, true), (.offline, true),
        (.other, true), (.tls, false), (.unreadableBody, false), (.malformedResponse, false),
    ])
    func failuresThatMayPassAreRepeated(kind: NetworkFailure.Kind, isRepeated: Bool) throws {
        let result = AttemptResult.failure(.networkingError(NetworkFailure(kind), try head()))
        #expect(try (delay(result) != nil) == isRepeated)
    }

    @Test(arguments: [
        (SimpleNetworkingError.Timeout.attempt(1), true), (.connect(1), true), (.idle(1), true), (.deadline(1), false),
    ])
    func attemptTimeoutsAreRetried(timeout: SimpleNetworkingError.Timeout, isRepeated: Bool) throws {
        #expect(try (delay(.failure(.timedOut(timeout, head()))) != nil) == isRepeated)
    }

    @Test
    func otherFailuresAreFinal() throws {
        #expect(try delay(.failure(.cancelled(nil))) == nil)
        #expect(try delay(.failure(.tooLarge(limit: 1, head()))) == nil)
        #expect(try delay(.failure(.clientError(SimpleResponse(request: head(), httpStatus: 404)))) == nil)
    }

    @Test
    func errorWithAResponseIsRetriedByItsStatus() throws {
        let response = try SimpleResponse(request: head(), httpStatus: 503, headers: ["Retry-After": "7"])
        #expect(try delay(.failure(.serverError(response))) == 7)
    }

    @Test(arguments: [
        ("GET", true), ("HEAD", true), ("PUT", true), ("DELETE", true), ("OPTIONS", true), ("POST", false),
        ("PATCH", false),
        ("PROPFIND", false), ("get", false),
    ])
    func onlyIdempotentMethodsAreRepeated(method: String, isRepeated: Bool) throws {
        let method = HTTPMethod(rawValue: method)
        #expect(try (delay(.status(503, [:]), method) != nil) == isRepeated)
        #expect(try delay(.status(503, [:]), method, ["idempotency-key": "1"]) != nil)
        var any = policy
        any.repeatsAnyMethod = true
        #expect(try delay(.status(503, [:]), method, policy: any) != nil)
    }

    @Test
    func attemptsWithoutAResponseNeedNotBeRepeated() throws {
        var policy = policy
        policy.retriesMissingResponses = false
        let lost = AttemptResult.failure(.networkingError(NetworkFailure(.connectionLost), try head()))
        #expect(try delay(lost, policy: policy) == nil)
        #expect(try delay(.status(503, [:]), policy: policy) != nil)
    }

    @Test
    func attemptsLimitsTheNumberOfSends() throws {
        #expect(try (1...4).map { try delay(.status(503, [:]), attempt: $0) } == [0.5, 1, nil, nil])
        #expect(try delay(.status(503, [:]), policy: .never) == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("7", 7), (" 60 ", 60), ("61", nil), ("99999999999999999999", nil), ("-1", 0.5), ("1.5", 1.5),
            ("0.25", 0.25), (" 2.0\t", 2), ("1.", 0.5), (".5", 0.5), ("1e1", 0.5),
            ("0x10", 0.5), ("+1", 0.5), ("inf", 0.5), ("nan", 0.5), ("", 0.5),
            ("soon", 0.5), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10),
            ("Sun Nov  6 08:49:47 1994", 10), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
            ("sun, 06 nov 1994 08:49:47 gmt", 10), ("Mon, 07 Nov 1994 08:49:37 GMT", nil),
            // A moment in seconds or milliseconds since 1970, as some servers write.
            ("1784111777", nil),
        ] as [(String, TimeInterval?)]
    )
    func theServersOwnWaitIsKept(retryAfter: String, seconds: TimeInterval?) throws {
        #expect(try delay(.status(503, ["retry-after": retryAfter])) == seconds)
    }

    @Test(arguments: [-3600, -300, 0, 300, 3600, 1e9] as [TimeInterval])
    func aDateIsReadByTheServersOwnClock(offset: TimeInterval) throws {
        let server = now + offset
        let headers: HTTPHeaders = [
            "Date": HTTPDateFormat().text(server), "Retry-After": HTTPDateFormat().text(server + 6),
        ]
        #expect(try delay(.status(503, headers)) == 6)
    }

    private func head(_ method: HTTPMethod = .get, _ headers: HTTPHeaders = [:]) throws -> RequestHead {
        RequestHead(method: method, url: try #require(URL(string: "https://h/")), headers: headers)
    }

    private func delay(
        _ result: AttemptResult,
        _ method: HTTPMethod = .get,
        _ headers: HTTPHeaders = [:],
        attempt: Int = 1,
        policy: RetryPolicy? = nil
    ) throws -> TimeInterval? {
        try (policy ?? self.policy).delay(
            afterAttempt: attempt,
            of: head(method, headers),
            result: result,
            now: now,
            random: \.upperBound
        )
    }
}

struct BackoffTests {
    @Test(arguments: [(1, 0.5), (2, 1), (3, 2), (4, 4), (7, 30), (1_000_000, 30), (0, 0.5), (-1, 0.5)])
    func longestDelayGrowsUpToTheCap(retry: Int, seconds: TimeInterval) {
        #expect(Backoff.exponential().delay(beforeRetry: retry, random: \.upperBound) == seconds)
        #expect(Backoff.exponential().delay(beforeRetry: retry, random: \.lowerBound) == 0)
        #expect(Backoff.exponential(jitters: false).delay(beforeRetry: retry) == seconds)
    }

    @Test
    func jitteredDelayIsARandomPartOfTheLongest() {
        let waits = Set((1...100).map { _ in Backoff.exponential().delay(beforeRetry: 3) })
        #expect(waits.count > 90)
        #expect(waits.allSatisfy { (0...2).contains($0) })
    }

    @Test
    func constantBackoffIsConstant() {
        #expect([1, 2, 9].map { Backoff.constant(3).delay(beforeRetry: $0) } == [3, 3, 3])
    }

    @Test(arguments: [
        Backoff.constant(-1), .constant(.nan), .exponential(base: .nan), .exponential(cap: .nan),
        .exponential(base: .infinity, cap: 0),
        .exponential(base: 0, factor: .infinity),
    ])
    func aSenselessWaitIsNone(backoff: Backoff) {
        #expect((1...3).allSatisfy { backoff.delay(beforeRetry: $0) == 0 })
    }
}

extension AttemptResult {
    /// A response with this status.
    static func status(_ status: Int, _ headers: HTTPHeaders = [:]) -> AttemptResult {
        let request = RequestHead(method: .get, url: URL(fileURLWithPath: "/"))
        let response = SimpleResponse(request: request, httpStatus: status, headers: headers)
        return .response(response, response.error)
    }
}
