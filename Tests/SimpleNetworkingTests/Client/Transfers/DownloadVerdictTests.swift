import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// A file changes only by a response that was accepted, and then before success is reported.
@Suite(.timeLimit(.minutes(5)))
struct DownloadVerdictTests {
    private let folder = ScratchFolder()
    private let file: URL
    private let clock = VirtualClock()

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
        try Data("old".utf8).write(to: file)
    }

    private var content: String? { try? String(contentsOf: file, encoding: .utf8) }
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path))?.sorted() ?? []
    }
    private var isUnchanged: Bool { content == "old" && names == ["film.mp4"] }

    private func client(_ transport: any Transport, through middleware: [any Middleware] = []) -> Checked {
        Checked(over: transport, through: middleware, clock: clock) { $0.maxRetries = 1 }
    }

    /// A client that rejects responses with an `X-Error`, and sends those with `X-Again` again.
    private final class Checked: SimpleNetworking, @unchecked Sendable {
        override func validate(_ response: SimpleResponse) throws {
            try super.validate(response)
            if let reason = response.headers["X-Error"] { throw Surprise(reason) }
        }

        override func shouldRetry(
            _ request: SimpleRequest,
            error: SimpleNetworkingError,
            attempt: Int
        ) async throws -> Bool {
            error.response?.headers["X-Again"] != nil
        }
    }

    // MARK: - Rejected

    enum Rejection: CaseIterable, Sendable {
        case validation, status, type, failure, stop, falseOnly, cancellation, release, retryAndError, retryAndLoss
        case retryLimit, undecodableSuccess, undecodableCompletion, middleware
    }

    private func add(_ rejection: Rejection, to request: SimpleRequest) {
        func decide(_ decide: @escaping (SimpleRequest) -> Bool) {
            request.on(isolation: nil, httpStatus: 200) { request, _ in decide(request) }
        }
        switch rejection {
        case .validation, .middleware: break
        case .status: request.acceptable(statuses: [204, 206])
        case .type: request.acceptable(types: [.json])
        case .failure:
            decide {
                $0.fail(Surprise("no"))
                return false
            }
        case .stop:
            decide {
                $0.stop()
                return true
            }
        case .falseOnly: decide { _ in false }
        case .cancellation:
            decide {
                $0.cancel()
                return true
            }
        case .release:
            decide { request in
                DispatchQueue.global().async { withExtendedLifetime(request) {} }
                return false
            }
        case .retryAndError, .retryAndLoss, .retryLimit:
            decide {
                $0.retry()
                return false
            }
        case .undecodableSuccess: request.on(isolation: nil, success: Int.self, { _ in })
        case .undecodableCompletion: request.on(isolation: nil, completion: Int.self, { _ in })
        }
    }

    @Test(arguments: Rejection.allCases, [false, true])
    func aRejectedDownloadLeavesTheFileAsItWas(rejection: Rejection, isAwaited: Bool) async throws {
        var headers: HTTPHeaders = ["ETag": "\"1\""]
        if rejection == .validation { headers["X-Error"] = "1" }
        let stub = StubTransport().on("/x", .text("new", headers: headers), times: rejection == .retryLimit ? 9 : 1)
        if rejection == .retryAndError { stub.on("/x", .status(500)) }
        if rejection == .retryAndLoss { stub.on("/x", .failure(.connectionLost)) }
        struct Failing: Middleware {
            func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
                _ = try await next(request)
                throw Surprise("after the response")
            }
        }
        let client = client(stub, through: rejection == .middleware ? [Failing()] : [])
        let request = SimpleNetworking.get("/x")
            .on(isolation: nil, success: { _ in Issue.record("it is no success") })
            .on(isolation: nil, error: URL.self, { _, url, _ in #expect(url == nil) })
        add(rejection, to: request)
        if isAwaited {
            await #expect(throws: (any Error).self) { try await client.download(for: request, to: file) }
        } else {
            #expect(await request.download(to: file).execute(on: client).ended().error != nil)
        }
        #expect(isUnchanged, "\(content ?? "nothing") \(names)")
    }

    @Test
    func theFileIsWrittenAfterTheStatusHandlersAndBeforeTheOthers() async throws {
        let client = client(StubTransport().on("/x", .text("new", status: 202)))
        let seen = Recorder<String>()
        @Sendable func look(_ name: String) { seen.add("\(name) \(content ?? "nothing")") }
        let request = client.get("/x") {
            $0.download(to: file)
                .on(isolation: nil, httpStatus: 202) { _, _ in
                    look("status")
                    return true
                }
                .on(isolation: nil, success: URL.self) { _ in look("URL") }
                .on(isolation: nil, success: { _ in look("success") })
                .on(isolation: nil, completion: { _ in look("completion") })
        }
        #expect(await request.ended().value?.httpStatus == 202)
        #expect(seen.elements == ["status old", "URL new", "success new", "completion new"])
        #expect(names == ["film.mp4"])
    }

    @Test
    func aHandlersRetryReplacesTheFileWithTheLastResponse() async throws {
        let stub = StubTransport().on("/x", .replies(.text("pending", status: 202), .text("ready")))
        let seen = Recorder<String?>()
        let response = try await client(stub).download(
            for: SimpleNetworking.get("/x").on(isolation: nil, httpStatus: 202) { [file] request, _ in
                seen.add(try? String(contentsOf: file, encoding: .utf8))
                request.retry()
                return false
            },
            to: file
        )
        #expect(response.statusCode == 200 && seen.elements == ["old"])
        #expect(content == "ready" && names == ["film.mp4"])
    }

    @Test
    func aRetryOfTheSubclassReplacesARejectedFile() async throws {
        let rejected: HTTPHeaders = ["X-Error": "1", "X-Again": "1", "ETag": "\"1\""]
        let stub = StubTransport().on("/x", .replies(.text("bad", headers: rejected), .text("good")))
        try await client(stub).download(for: SimpleNetworking.get("/x"), to: file)
        #expect(content == "good" && names == ["film.mp4"])
        #expect(stub.requests.map { $0.headers["Range"] } == [nil, nil])
    }

    @Test(arguments: [false, true])
    func ofTwoResponsesThatMiddlewareGotTheLastOneIsTheFile(failsLast: Bool) async throws {
        struct Twice: Middleware {
            func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
                _ = try await next(request)
                return try await next(request)
            }
        }
        let stub = StubTransport().on("/x", .replies(.text("first"), failsLast ? .status(404) : .text("second")))
        let result = await Result {
            try await client(stub, through: [Twice()]).download(for: SimpleNetworking.get("/x"), to: file)
        }
        #expect((try? result.get()) == nil ? failsLast : !failsLast)
        #expect(content == (failsLast ? "old" : "second") && names == ["film.mp4"])
    }

    /// A middleware's own choice can't be written, if the content was dropped for a later response.
    @Test
    func aResponseWhoseContentWasDroppedIsNoSuccess() async throws {
        struct First: Middleware {
            func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
                let first = try await next(request)
                _ = try await next(request)
                return first
            }
        }
        let stub = StubTransport().on("/x", .replies(.text("first"), .status(503)))
        await #expect(throws: SimpleNetworkingError.self) {
            try await client(stub, through: [First()]).download(for: SimpleNetworking.get("/x"), to: file)
        }
        #expect(isUnchanged)
    }

    /// A caller's own session leaves no part of an interrupted response.
    @Test(arguments: Engine.allCases.filter { $0 != .callersSession })
    func aRejectedRestIsNotResumedAgain(engine: Engine) async throws {
        let server = try FileReply.serve(FileReply(cut: 20_000), FileReply(), FileReply())
        let client = try engine.client(server)
        func download(_ request: SimpleRequest) async -> Result<SimpleResponse, SimpleNetworkingError> {
            await request.download(to: file).execute(on: client).ended()
        }
        #expect(await download(SimpleNetworking.get("/film.mp4")).error != nil)
        #expect(names == ["film.mp4", "film.mp4.partial", "film.mp4.partial.json"])
        let rejected = SimpleNetworking.get("/film.mp4").on(isolation: nil, httpStatus: 206) { _, _ in false }
        #expect(await download(rejected).error != nil)
        #expect(isUnchanged)
        #expect(await download(SimpleNetworking.get("/film.mp4")).value?.httpStatus == 200)
        #expect(try Data(contentsOf: file) == FileReply.content && names == ["film.mp4"])
        #expect(server.requests.map { $0[header: "Range"] } == [nil, "bytes=20000-", nil])
    }

    @Test
    func aFileThatCanNotBeMovedIsTheFailure() async throws {
        let client = client(StubTransport().on("/x", .text("new")))
        let errors = Recorder<SimpleNetworkingError>()
        let request = client.get("/x") {
            $0.download(to: file)
                .on(isolation: nil, httpStatus: 200) { [file] _, _ in
                    try? FileManager.default.removeItem(at: file)
                    let inside = file.appendingPathComponent("inside")
                    try? FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
                    return true
                }
                .on(isolation: nil, success: URL.self) { _ in Issue.record("it is no success") }
                .on(isolation: nil, error: { errors.add($0) })
        }
        let error = await request.ended().error
        guard case .failed? = error else { throw Surprise("\(String(describing: error))") }
        #expect(error?.response?.httpStatus == 200 && errors.elements.count == 1)
        #expect(names == ["film.mp4"])
        // It isn't reserved any more.
        try FileManager.default.removeItem(at: file)
        try await client.download(for: SimpleNetworking.get("/x"), to: file)
        #expect(content == "new")
    }

    @Test
    func aFileThatTookThePlaceOfTheContentIsNotMoved() async throws {
        let client = client(StubTransport().on("/x", .text("new")))
        let request = SimpleNetworking.get("/x").on(isolation: nil, httpStatus: 200) { [file] _, _ in
            let partial = file.appendingPathExtension("partial")
            try? Data("other".utf8).write(to: partial, options: .atomic)
            return true
        }
        await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) }
        #expect(content == "old")
    }

    // MARK: - Taken over

    enum Ending: CaseIterable, Sendable { case cancel, fail, stop, release, deadline, retry, succeed, succeedAsItIs }

    @Test(arguments: Ending.allCases)
    func theFileIsReservedUntilTheVerdictAndFreeForTheHandlersOfTheEnd(ending: Ending) async throws {
        let stub = StubTransport().on("/x", .replies(.text("pending", status: 202), .text("ready")))
            .on("/y", .text("other"))
        let client = client(stub)
        let kept = Locked<(request: SimpleRequest, response: SimpleResponse)?>(nil)
        let others = Recorder<String?>()
        let request = client.get("/x") { [file] request in
            request.download(to: file).deadline(9)
                .on(isolation: nil, httpStatus: 202) { request, response in
                    kept.exchange((request, response))
                    return false
                }
                .on(
                    isolation: nil,
                    completion: { _ in
                        let before = try? String(contentsOf: file, encoding: .utf8)
                        client.get("/y") {
                            $0.download(to: file)
                                .on(isolation: nil, completion: { others.add($0.value == nil ? nil : before) })
                        }
                    }
                )
        }
        try await eventually { kept.withLock { $0 != nil } }
        let refused = await client.get("/y") { $0.download(to: file).on(error: { _ in }) }.ended().error
        guard case .invalidRequest(let reason, _)? = refused else { throw Surprise("it isn't reserved") }
        #expect(reason.contains("another request is writing"))
        #expect(content == "old" && names == ["film.mp4", "film.mp4.partial"])
        do {
            let (taken, response) = try #require(kept.exchange(nil))
            switch ending {
            case .cancel: request.cancel()
            case .fail: taken.fail(Surprise("no"))
            case .stop: taken.stop()
            case .release: break
            case .deadline: try await clock.advance(to: .deadline)
            case .retry: taken.retry()
            case .succeed: taken.succeed(with: SimpleResponse(request: response.request, data: Data("given".utf8)))
            case .succeedAsItIs: taken.succeed(with: response)
            }
            withExtendedLifetime(taken) {}
        }
        try await eventually { others.elements.count == 1 }
        let expected: [Ending: String] = [.retry: "ready", .succeed: "given", .succeedAsItIs: "pending"]
        #expect(others.elements == [expected[ending] ?? "old"])
        #expect(content == "other" && names == ["film.mp4"])
    }
}
