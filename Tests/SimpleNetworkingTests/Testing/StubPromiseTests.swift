import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore

/// What README guarantees, where no engine of the package responds: a stub, a transport of your own, or middleware.
@Suite(.timeLimit(.minutes(5)))
struct StubPromiseTests {
    /// Who responds.
    enum Source: CaseIterable {
        case stub, transport, middleware
    }

    /// What it responds with.
    typealias Response = @Sendable (TransportRequest) async throws -> TransportResponse

    private struct OwnTransport: Transport {
        let respond: Response

        func send(_ request: TransportRequest) async throws -> TransportResponse { try await respond(request) }
    }

    private struct OwnMiddleware: Middleware {
        let respond: Response

        func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
            try await respond(request)
        }
    }

    private let clock = VirtualClock()
    private let folder = ScratchFolder()

    private func client(
        _ source: Source,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in },
        respond: @escaping Response
    ) -> SimpleNetworking {
        SimpleNetworking(host: "api.example.com") {
            $0.logger = .quiet
            $0.clock = clock
            $0.transport = StubTransport(clock: clock).on("*") { request in
                let response = try await respond(request)
                return .pieces(.data(response.data), status: response.httpStatus, headers: response.headers)
            }
            switch source {
            case .stub: break
            case .transport: $0.transport = OwnTransport(respond: respond)
            case .middleware: $0.middleware = [OwnMiddleware(respond: respond)]
            }
            configure(&$0)
        }
    }

    // MARK: Limits

    @Test(arguments: Source.allCases, [200, 404])
    func contentOverMaxResponseSizeEndsWithTooLarge(source: Source, status: Int) async throws {
        for (count, isTooLarge) in [(10, false), (11, true)] {
            let client = client(source, { $0.maxResponseSize = 10 }) { _ in
                TransportResponse(httpStatus: status, data: Data(count: count))
            }
            let error = await client.get("/").ended().error
            #expect((error.map(name(of:)) == "tooLarge") == isTooLarge)
        }
    }

    @Test(arguments: Source.allCases)
    func aDownloadHasNoLimitOfItsContent(source: Source) async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("file")
        let client = client(source, { $0.maxResponseSize = 10 }) { _ in
            TransportResponse(httpStatus: 200, data: Data(count: 100))
        }
        try await client.download(for: SimpleNetworking.get("/"), to: file)
        #expect(try Data(contentsOf: file).count == 100)
    }

    @Test(arguments: Source.allCases)
    func theErrorOfADownloadIsLimited(source: Source) async throws {
        let client = client(source, { $0.maxResponseSize = 10 }) { _ in
            TransportResponse(httpStatus: 500, data: Data(count: 100))
        }
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.download(for: SimpleNetworking.get("/"), to: folder.url.appendingPathComponent("file"))
        }
        #expect(error.map(name(of:)) == "tooLarge")
    }

    @Test
    func middlewareMayRaiseTheLimitOfWhatItSends() async throws {
        struct Raise: Middleware {
            func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
                var request = request
                request.maxResponseSize = 100
                return try await next(request)
            }
        }
        let client = client(
            .transport,
            {
                $0.maxResponseSize = 10
                $0.middleware = [Raise()]
            }
        ) { request in
            TransportResponse(httpStatus: 200, data: Data(count: request.url.path == "/much" ? 101 : 100))
        }
        #expect(await client.get("/").ended().value?.data.count == 100)
        #expect(await client.get("/much").ended().error.map(name(of:)) == "tooLarge")
    }

    @Test(arguments: [Source.stub, .transport])
    func timeoutEndsASilentAttempt(source: Source) async throws {
        let client = client(source) { _ in
            try await Gate().wait()
            return TransportResponse(httpStatus: 200)
        }
        let request = client.get("/")
        try await clock.advance(to: .timeout)
        guard case .timedOut(.attempt(60), _)? = await request.ended().error else {
            throw request.trace.description.asError
        }
    }

    /// Middleware may wait for what it likes, but not for longer than this.
    @Test(arguments: Source.allCases)
    func deadlineEndsASilentExecution(source: Source) async throws {
        let client = client(
            source,
            {
                $0.deadline = 30
                $0.timeout = 500
            }
        ) { _ in
            try await Gate().wait()
            return TransportResponse(httpStatus: 200)
        }
        let request = client.get("/")
        try await clock.advance(to: .deadline)
        guard case .timedOut(.deadline(30), _)? = await request.ended().error else {
            throw request.trace.description.asError
        }
    }

    @Test(arguments: [0, 1, 3])
    func timeoutLimitsThePausesOfAStream(pieces: Int) async throws {
        let transport = OwnTransport { [clock] request in
            guard case .stream(let receive) = request.sink else { return TransportResponse(httpStatus: 500) }
            if pieces > 0 { try await receive(.head(status: 200, headers: [:])) }
            for _ in 0..<pieces {
                clock.advance(by: 59)
                try await receive(.content(Data("a".utf8)))
            }
            try await Gate().wait()
            return TransportResponse(httpStatus: 200)
        }
        let client = client(.transport, { $0.transport = transport }) { _ in TransportResponse(httpStatus: 200) }
        let received = Recorder<Data>()
        let stream = Task {
            for try await chunk in client.bytes(for: SimpleNetworking.get("/")) { received.add(chunk) }
        }
        try await eventually { received.elements.count == pieces && clock.alarms(for: .timeout).contains(60) }
        clock.advance(by: 60)
        let error = await #expect(throws: SimpleNetworkingError.self) { try await stream.value }
        guard case .timedOut(.idle(60), _)? = error else { throw "\(String(describing: error))".asError }
    }

    @Test(arguments: [Source.stub, .transport])
    func twentyRedirectsAreFollowedAndNoneToPlainHTTP(source: Source) async throws {
        let count = Locked(0)
        let client = client(source) { request in
            count.withLock { $0 += 1 }
            let target = request.url.path == "/plain" ? "http://api.example.com/" : "/next"
            return TransportResponse(httpStatus: 302, headers: ["Location": target])
        }
        #expect(await client.get("/").ended().error.map(name(of:)) == "redirect")
        #expect(count.withLock { $0 } == 21)
        #expect(await client.get("/plain").ended().error.map(name(of:)) == "redirect")
        #expect(count.withLock { $0 } == 22)
    }

    // MARK: Credentials

    @Test(arguments: [Source.stub, .transport])
    func redirectsToOtherOriginsReceiveNoCredentials(source: Source) async throws {
        let seen = Recorder<TransportRequest>()
        let client = client(source, { $0.defaultHeaders = ["Authorization": "Bearer token", "X-Key": "key"] }) {
            seen.add($0)
            guard $0.url.host == "api.example.com" else { return TransportResponse(httpStatus: 200) }
            return TransportResponse(httpStatus: 307, headers: ["Location": "https://other.example/"])
        }
        await client.get("/").ended()
        #expect(seen.elements.map { $0.headers["Authorization"] } == ["Bearer token", nil])
        #expect(seen.elements.map { $0.headers["X-Key"] } == ["key", nil])
    }

    // MARK: Exactly once, in order

    enum End: CaseIterable {
        case success, status, failure, error, content
    }

    @Test(arguments: Source.allCases, End.allCases)
    func everyExecutionEndsOnceAndInOrder(source: Source, end: End) async throws {
        struct OwnError: Error {}
        let client = client(source, { $0.maxResponseSize = 10 }) { _ in
            switch end {
            case .success: return TransportResponse(httpStatus: 200, data: Data("{}".utf8))
            case .status: return TransportResponse(httpStatus: 503)
            case .failure: throw NetworkFailure(.connectionLost)
            case .error: throw OwnError()
            case .content: return TransportResponse(httpStatus: 200, data: Data(count: 11))
            }
        }
        let heard = Recorder<String>()
        let request = client.post("/") {
            $0.on(isolation: nil, httpStatus: 503) { _, _ in
                heard.add("status")
                return true
            }
            .on(isolation: nil, success: { (_: SimpleResponse) in heard.add("success") })
            .on(isolation: nil, error: { _ in heard.add("error") })
            .on(isolation: nil, completion: { _ in heard.add("completion") })
        }
        await request.ended()
        let expected =
            switch end {
            case .success: ["success", "completion"]
            case .status: ["status", "error", "completion"]
            case .failure, .error, .content: ["error", "completion"]
            }
        #expect(heard.elements == expected)
        // Nor is it sent twice.
        #expect(request.trace.attempts == 1)
    }

    @Test(arguments: Source.allCases)
    func aCancelledExecutionEndsAtOnceThoughNothingReacts(source: Source) async throws {
        let gate = Gate()
        defer { gate.open() }
        let (hasBegun, ends) = (Gate(), Locked(0))
        let client = client(source) { _ in
            hasBegun.open()
            // Not cancelled with the request.
            await Task.detached { try? await gate.wait() }.value
            return TransportResponse(httpStatus: 200)
        }
        let request = client.get("/") { $0.on(isolation: nil, completion: { _ in ends.withLock { $0 += 1 } }) }
        try await hasBegun.wait()
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        #expect(ends.withLock { $0 } == 1)
    }

    /// Some give a stream its parts and return them as well.
    @Test
    func contentThatIsGivenTwiceArrivesOnce() async throws {
        let content = Data("abc".utf8)
        let client = client(.transport) { request in
            if case .stream(let receive) = request.sink {
                try await receive(.head(status: 200, headers: [:]))
                try await receive(.content(content))
            }
            return TransportResponse(httpStatus: 200, data: content)
        }
        var received = Data()
        for try await chunk in client.bytes(for: SimpleNetworking.get("/")) { received += chunk }
        #expect(received == content)
    }
}
