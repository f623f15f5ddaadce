import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// What a request does that is suspended while it waits for something else: its turn, a refresh, a connection.
@Suite(.timeLimit(.minutes(5)))
struct SuspendedWaitTests {
    private let folder = ScratchFolder()
    private var file: URL { folder.url }

    /// A server whose first response waits.
    private struct Busy {
        let isFirstSent = Gate()
        let mayFirstEnd = Gate()
        let server: StubTransport

        init() {
            server = StubTransport()
                .on("/first") { [isFirstSent, mayFirstEnd] _ in
                    isFirstSent.open()
                    try await mayFirstEnd.wait()
                    return .json("{}")
                }
                .on("*", .json("{}"))
        }

        var paths: [String] { server.requests.map(\.url.path) }
    }

    /// Lets tasks run that could do what they must not.
    private func settle() async { for _ in 0..<200 { await Task.yield() } }

    private func waitsForItsTurn(_ request: SimpleRequest) async throws {
        try await eventually { request.trace.description.contains("waits for its turn") }
    }

    @Test(arguments: [false, true])
    func aRequestGivesItsTurnToOthersEvenWithAnOutdatedCredential(isInMemory: Bool) async throws {
        let busy = Busy()
        let client = SimpleNetworking(over: busy.server) { $0.traffic.inFlight = 1 }
        let first = client.get("/first")
        try await busy.isFirstSent.wait()
        let film = client.get("/film") { isInMemory ? $0 : $0.download(to: file) }
        try await waitsForItsTurn(film)
        film.suspend()
        client.headers["X-Version"] = "2"
        let other = client.get("/other")
        busy.mayFirstEnd.open()
        _ = await first.ended()
        #expect(await other.ended().value?.httpStatus == 200)
        #expect(busy.paths == ["/first", "/other"])
        film.resume()
        #expect(await film.ended().value?.httpStatus == 200)
        #expect(busy.server.requests.last?.headers["X-Version"] == "2")
    }

    @Test
    func anAuthenticatorDoesNotSendARequestAgainThatIsSuspended() async throws {
        let (isSent, mayAnswer) = (Gate(), Gate())
        let server = StubTransport()
            .on("/x", times: 1) { _ in
                isSent.open()
                try await mayAnswer.wait()
                return .status(401)
            }
            .on("/x", .json("{}"))
        let isRefreshed = Gate()
        let client = SimpleNetworking(over: server) {
            $0.authenticator = BearerAuthenticator(token: Secret("one")) { _ in
                isRefreshed.open()
                return Secret("two")
            }
        }
        let request = client.get("/x")
        try await isSent.wait()
        request.suspend()
        mayAnswer.open()
        try await isRefreshed.wait()
        await settle()
        #expect(server.requests.count == 1 && request.isSuspended)
        request.resume()
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(server.requests.last?.headers["Authorization"] == "Bearer two")
    }

    @Test
    func aDownloadIsNotTriedAgainWhileItIsSuspendedAndThereIsNoConnection() async throws {
        let clock = VirtualClock()
        let server = StubTransport().on("/film", .failure(.offline), times: 1).on("/film", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock) { $0.traffic.waitsForConnectivity = true }
        let film = client.get("/film") { $0.download(to: file) }
        await clock.alarms(1, for: .traffic)
        film.suspend()
        clock.advance(by: 20)
        await settle()
        #expect(server.requests.count == 1)
        film.resume()
        #expect(await film.ended().value?.httpStatus == 200)
    }

    @Test
    func aRequestSuspendedBeforeASignOutIsNotSentForTheNextUser() async throws {
        let server = StubTransport()
            .on("/login", .status(200, headers: ["Set-Cookie": "user=bob; Path=/"]))
            .on("*", .json("{}"))
        let client = SimpleNetworking(over: server) { $0.cookieJar = CookieJar() }
        client.headers["Authorization"] = "Bearer ada"
        let film = SimpleNetworking.get("/film").download(to: file)
        film.suspend()
        film.execute(on: client)
        client.headers["Authorization"] = nil
        client.signOut()
        client.headers["Authorization"] = "Bearer bob"
        _ = await client.get("/login").ended()
        film.resume()
        #expect(await film.ended().error != nil)
        #expect(server.requests.map(\.url.path) == ["/login"])
    }

    @Test
    func aSuspendedRequestIsSentWithTheFieldsThatTheClientHasWhenItIsResumed() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let client = SimpleNetworking(over: server)
        client.headers["Authorization"] = "Bearer old"
        let request = SimpleNetworking.get("/x")
        request.suspend()
        request.execute(on: client)
        await settle()
        client.headers["Authorization"] = "Bearer new"
        request.resume()
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer new"])
    }

    @Test
    func theTimeInSuspensionDoesNotCountForARedirectedRequest() async throws {
        let clock = VirtualClock()
        let busy = Busy()
        busy.server.on("/x", .redirect(to: "/y", status: 302))
        let client = SimpleNetworking(over: busy.server, clock: clock) { $0.traffic.inFlight = 1 }
        let first = client.get("/first")
        try await busy.isFirstSent.wait()
        let request = client.get("/x")
        try await waitsForItsTurn(request)
        request.suspend()
        busy.mayFirstEnd.open()
        _ = await first.ended()
        await settle()
        clock.advance(by: 1000)
        request.resume()
        #expect(await request.ended().value?.httpStatus == 200)
    }

    @Test
    func aRequestStaysSuspendedForLaterExecutionsAndCopies() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/x")
        _ = try await client.send(request)
        request.suspend()
        request.execute(on: client)
        async let first = client.send(request)
        async let second = client.send(request)
        await settle()
        #expect(server.requests.count == 1 && request.isSuspended)
        #expect(try await client.send(request.copy()).httpStatus == 200)
        request.resume()
        let responses = try await [first, second]
        #expect(responses.map(\.httpStatus) == [200, 200])
        #expect(await request.ended().value?.httpStatus == 200)
    }

    @Test
    func aRequestSuspendedAndCancelledAtOnceEndsItsTask() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let client = SimpleNetworking(over: server)
        for _ in 0..<500 {
            let request = SimpleNetworking.get("/x")
            request.suspend()
            request.execute(on: client)
            request.cancel()
            #expect(await request.ended().error?.isCancellation == true)
        }
        // A task that went on would keep a thread busy.
        #expect(try await client.send(SimpleNetworking.get("/other")).httpStatus == 200)
        #expect(server.requests.count == 1)
    }

    @Test
    func aHandlersRetryOfAnAwaitedCopyWaitsWithTheOriginal() async throws {
        let (isSent, mayAnswer) = (Gate(), Gate())
        let server = StubTransport()
            .on("/x", times: 1) { _ in
                isSent.open()
                try await mayAnswer.wait()
                return .status(503)
            }
            .on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let isRetried = Gate()
        let request = SimpleNetworking.get("/x").on(httpStatus: 503) { request, _ in
            request.retry()
            isRetried.open()
            return false
        }
        async let response = client.send(request)
        try await isSent.wait()
        request.suspend()
        mayAnswer.open()
        try await isRetried.wait()
        await settle()
        #expect(server.requests.count == 1)
        request.resume()
        #expect(try await response.httpStatus == 200)
    }

    @Test
    func aHandlerOfAnAwaitedCopySuspendsTheOriginal() async throws {
        let server = StubTransport().on("/x", .status(503), times: 1).on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let kept = Locked<SimpleRequest?>(nil)
        let isSuspended = Gate()
        let request = SimpleNetworking.get("/x").on(httpStatus: 503) { request, _ in
            kept.withLock { $0 = request }
            request.suspend()
            request.retry()
            isSuspended.open()
            return false
        }
        request.suspend()
        request.resume()
        async let response = client.send(request)
        try await isSuspended.wait()
        await settle()
        #expect(request.isSuspended && server.requests.count == 1)
        request.resume()
        #expect(try await response.httpStatus == 200)
    }

    @Test
    func aRedirectedRequestIsNotBegunAgainAfterASuspension() async throws {
        let clock = VirtualClock()
        let server = StubTransport()
            .on(.post, "/x", .redirect(to: "/y", status: 303))
            .on("/y", .failure(.offline), times: 1)
            .on("/y", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock) { $0.traffic.waitsForConnectivity = true }
        let request = client.post("/x", body: ["a": "b"])
        await clock.alarms(1, for: .traffic)
        request.suspend()
        clock.advance(by: 20)
        await settle()
        request.resume()
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(server.requests.map(\.url.path) == ["/x", "/y", "/y"])
    }

    @Test
    func aRequestSuspendedForOneUserIsNotSignedForTheNext() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let bearer = BearerAuthenticator(token: Secret("ada"))
        let client = SimpleNetworking(over: server) { $0.authenticator = bearer }
        let request = SimpleNetworking.get("/x")
        request.suspend()
        request.execute(on: client)
        await settle()
        client.signOut()
        bearer.token = Secret("bob")
        request.resume()
        #expect(await request.ended().error != nil)
        #expect(server.requests.isEmpty)
    }

    @Test
    func aRequestSuspendedDuringARefreshIsNotSentAfterIt() async throws {
        let (isRefreshing, mayRefresh) = (Gate(), Gate())
        let server = StubTransport().on("*", .json("{}"))
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in
            isRefreshing.open()
            try await mayRefresh.wait()
            return Secret("new")
        } isExpired: {
            $0 == Secret("old")
        }
        let client = SimpleNetworking(over: server) { $0.authenticator = bearer }
        let request = client.get("/x")
        try await isRefreshing.wait()
        request.suspend()
        mayRefresh.open()
        await settle()
        #expect(server.requests.isEmpty)
        request.resume()
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer new"])
    }

    /// Signs with a token, and doesn't tell users apart.
    private final class PlainAuthenticator: Authenticator {
        let token = Locked("ada")

        func credential() async throws -> String? { token.withLock { $0 } }

        func sign(_ request: inout TransportRequest, with credential: String) {
            request.headers["Authorization"] = credential
        }
    }

    @Test(arguments: [false, true])
    func aSignOutEndsASuspendedRequestThoughTheAuthenticatorTellsNoUsersApart(isSigned: Bool) async throws {
        let server = StubTransport().on("*", .json("{}"))
        let authenticator = PlainAuthenticator()
        let client = SimpleNetworking(over: server) { $0.authenticator = authenticator }
        let request = isSigned ? SimpleNetworking.get("/x") : SimpleNetworking.get("/x").unauthenticated()
        request.suspend()
        request.execute(on: client)
        await settle()
        client.signOut()
        authenticator.token.withLock { $0 = "bob" }
        request.resume()
        #expect(await request.ended().error != nil)
        #expect(server.requests.isEmpty)
    }

    /// Prepares a request when it is told to.
    private final class SlowAPI: SimpleNetworking, @unchecked Sendable {
        let isPreparing = Gate()
        let mayPrepare = Gate()

        override func prepare(_ request: inout TransportRequest, for _: SimpleRequest) async throws {
            isPreparing.open()
            try await mayPrepare.wait()
        }
    }

    @Test
    func aRequestSuspendedInAHookIsNotSentAfterIt() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let client = SlowAPI(over: server)
        let request = client.get("/x")
        try await client.isPreparing.wait()
        request.suspend()
        client.mayPrepare.open()
        await settle()
        #expect(server.requests.isEmpty)
        request.resume()
        #expect(await request.ended().value?.httpStatus == 200)
    }

    /// Delivers its response in a task of its own, as some transports do.
    private struct Detached: Transport {
        let isBegun = Gate()
        let mayGoOn = Gate()
        let hasReturned = Gate()

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard case .stream(let receive) = request.sink else { throw Surprise("no stream") }
            defer { hasReturned.open() }
            try await Task {
                try await receive(.head(status: 200, headers: [:]))
                isBegun.open()
                try await mayGoOn.wait()
                try await receive(.content(Data("content".utf8)))
            }.value
            return TransportResponse(httpStatus: 200)
        }
    }

    @Test
    func cancellingASuspendedDownloadFreesItsTransportAndItsFile() async throws {
        let transport = Detached()
        let client = SimpleNetworking(over: transport)
        let film = client.get("/film") { $0.download(to: file) }
        try await transport.isBegun.wait()
        film.suspend()
        transport.mayGoOn.open()
        await settle()
        film.cancel()
        #expect(await film.ended().error?.isCancellation == true)
        try await transport.hasReturned.wait()
        #expect(await client.get("/film") { $0.download(to: file) }.ended().value?.httpStatus == 200)
    }

    @Test
    func anExplicitTimeoutEndsASuspendedDownload() async throws {
        let clock = VirtualClock()
        let transport = Detached()
        let client = SimpleNetworking(over: transport, clock: clock)
        let film = client.get("/film") { $0.download(to: file).timeout(20) }
        try await transport.isBegun.wait()
        film.suspend()
        transport.mayGoOn.open()
        await settle()
        clock.advance(by: 20)
        guard case .timedOut(.attempt(20), _)? = await film.ended().error else {
            throw Surprise(film.trace.description)
        }
        try await transport.hasReturned.wait()
    }

    #if canImport(CLibcurl) && os(Linux)
        @Test
        func theIdleTimeoutAppliesAfterAResumptionWhileTheFileIsOpened() async throws {
            let server = try RawServer { _ in .silence }
            let transport = try curl { $0.connectionsPerHost = 100 }
            try Data(repeating: 7, count: 1000).write(to: file)
            let owner = SimpleNetworking.get("/")
            try await withinSeconds(100) {
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<100 {
                        let head = RequestHead(method: .put, url: server.url())
                        var request = TransportRequest(head: head, body: .file(file), timeout: .infinity)
                        request.idleTimeout = 0.2
                        let suspension = Suspension()
                        _ = suspension.suspend(by: ObjectIdentifier(owner))
                        request.suspension = suspension
                        group.addTask { [request] in _ = try? await transport.send(request) }
                        group.addTask {
                            for _ in 0..<number { await Task.yield() }
                            _ = suspension.resume()
                        }
                    }
                }
            }
        }
    #endif
}
