import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Background transfers, over a session of the tests' own: the system's exists on Apple platforms only.
@Suite(.timeLimit(.minutes(5)))
struct BackgroundTransferTests {
    /// Records what is started, and keeps the receiver of its events.
    private final class Session: BackgroundSession {
        struct Started: Sendable {
            let request: TransportRequest
            let file: URL?
            let description: String
        }

        let receiver = Locked<BackgroundReceiver?>(nil)
        let started = Recorder<Started>()

        func start(_ request: TransportRequest, uploading file: URL?, describedAs description: String) {
            started.add(Started(request: request, file: file, description: description))
        }

        func descriptions() async -> [String] { started.elements.map(\.description) + ["another part's task"] }

        func cancel(where isCancelled: @escaping @Sendable (String) -> Bool) async {
            for (number, each) in started.elements.enumerated() where isCancelled(each.description) {
                finish(number, error: .cancelled)
            }
        }

        /// Ends a task as the system does.
        func finish(
            _ number: Int,
            status: Int = 200,
            content: String? = nil,
            error: BackgroundReceiver.Failure? = nil
        ) {
            let task = started.elements[number]
            let receiver = receiver.withLock { $0 }
            let response: (status: Int, headers: HTTPHeaders)? = error == nil ? (status, ["ETag": "\"1\""]) : nil
            if let content, task.file != nil {
                receiver?.receive(Data(content.utf8), forTask: number)
            } else if let content {
                let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
                try? Data(content.utf8).write(to: file)
                receiver?.receive(file, describedAs: task.description, status: status, forTask: number)
                // The system removes what was not taken.
                try? FileManager.default.removeItem(at: file)
            }
            receiver?.complete(
                describedAs: task.description,
                response: response,
                error: error,
                forTask: number
            )
        }
    }

    private let folder = ScratchFolder()
    private let session = Session()
    private let transfers: BackgroundTransfers
    private let client = SimpleNetworking(over: StubTransport()) { $0.defaultHeaders["X-App"] = "films" }

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        transfers = Self.transfers(session)
    }

    private static func transfers(_ session: Session, identifier: String = UUID().uuidString) -> BackgroundTransfers {
        BackgroundTransfers(identifier: identifier) { receiver in
            session.receiver.withLock { $0 = receiver }
            return session
        }
    }

    private func file(_ name: String, _ content: String? = nil) throws -> URL {
        let file = folder.url.appendingPathComponent(name)
        if let content { try Data(content.utf8).write(to: file) }
        return file
    }

    private func next() async -> FinishedTransfer? { await transfers.finished.first { _ in true } }

    @Test
    func aDownloadIsPreparedByTheClientAndItsFileIsMoved() async throws {
        let film = try file("film.mp4", "old")
        let isHandled = Locked(false)
        let request = SimpleNetworking.get("/films/7", query: ["q": "hd"]).header("X-Own", "1").download(to: film)
            .on(completion: { _ in isHandled.withLock { $0 = true } })
        #expect(try await transfers.start(request, on: client, id: "7") == "7")
        let started = try #require(session.started.elements.first)
        #expect(started.request.url.absoluteString == "https://api.example.com/films/7?q=hd")
        #expect(started.request.method == .get && started.file == nil)
        #expect(started.request.headers["X-App"] == "films")
        #expect(started.request.headers["X-Own"] == "1")
        #expect(started.request.headers["Accept"] == "*/*")
        #expect(await transfers.unfinished() == ["7"])
        session.finish(0, content: "new")
        let transfer = try #require(await next())
        #expect(transfer.id == "7" && transfer.file == film)
        let response = try transfer.result.get()
        #expect(response.httpStatus == 200 && response.data.isEmpty && response.headers["ETag"] == "\"1\"")
        #expect(try Data(contentsOf: film) == Data("new".utf8))
        #expect(!isHandled.withLock { $0 })
    }

    @Test
    func anUploadSendsItsFileAndItsResponseArrives() async throws {
        let film = try file("film.mp4", "content")
        let id = try await transfers.start(
            SimpleNetworking.put("/films/7").body(file: film, contentType: "video/mp4"),
            on: client
        )
        let started = try #require(session.started.elements.first)
        #expect(started.request.method == .put && started.file == film)
        #expect(started.request.body.isNone)
        #expect(started.request.headers["Content-Type"] == "video/mp4")
        session.finish(0, status: 201, content: #"{"id": 7}"#)
        let transfer = try #require(await next())
        #expect(transfer.id == id && transfer.file == nil)
        let response = try transfer.result.get()
        #expect(response.httpStatus == 201 && response.json?["id"] as? Int == 7)
    }

    @Test
    func theAuthenticatorAuthorizesTheRequestBeforeItStarts() async throws {
        let client = SimpleNetworking(over: StubTransport()) {
            $0.authenticator = BearerAuthenticator(token: Secret("t1")) { _ in Secret("t2") }
        }
        try await transfers.start(SimpleNetworking.get("/film").download(to: file("film")), on: client)
        let request = session.started.elements.first?.request
        #expect(request?.headers["Authorization"] == "Bearer t1")
    }

    /// Rejects the response that stands for the start, and would send it again.
    private final class Strict: SimpleNetworking, @unchecked Sendable {
        override func prepare(_ request: inout TransportRequest, for _: SimpleRequest) async throws {
            request.headers["X-Hook"] = "1"
        }

        override func validate(_ response: SimpleResponse) throws {
            if response.httpStatus != 200 { throw Surprise("\(response.httpStatus)") }
        }

        override func shouldRetry(_: SimpleRequest, error _: SimpleNetworkingError, attempt _: Int) async throws -> Bool
        {
            true
        }
    }

    @Test
    func hooksPrepareTheRequestAndNothingStartsTwice() async throws {
        let client = Strict(over: StubTransport())
        try await transfers.start(SimpleNetworking.get("/film").download(to: file("film")), on: client)
        #expect(session.started.elements.count == 1)
        #expect(session.started.elements.first?.request.headers["X-Hook"] == "1")
    }

    @Test
    func aCacheAndEqualRequestsDoNotKeepATransferFromStarting() async throws {
        let client = SimpleNetworking(over: StubTransport()) {
            $0.cache = ResponseCache()
            $0.traffic.coalesces = true
        }
        for name in ["first", "second"] {
            try await transfers.start(SimpleNetworking.get("/film").download(to: file(name)), on: client, id: name)
        }
        #expect(await transfers.unfinished() == ["first", "second"])
    }

    @Test(arguments: [401, 404, 503])
    func aDownloadWithAnErrorStatusFailsWithItsContentAndLeavesTheFile(status: Int) async throws {
        let film = try file("film.mp4", "old")
        try await transfers.start(SimpleNetworking.get("/film").download(to: film), on: client)
        session.finish(0, status: status, content: "why")
        let transfer = try #require(await next())
        guard case .failure(let error) = transfer.result else { throw Surprise("\(transfer)") }
        #expect(error.httpStatus == status && error.response?.text == "why" && transfer.file == nil)
        #expect(try Data(contentsOf: film) == Data("old".utf8))
    }

    @Test
    func aFileThatCannotBeMovedIsAFailure() async throws {
        let place = folder.url.appendingPathComponent("later")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let film = place.appendingPathComponent("film.mp4")
        try await transfers.start(SimpleNetworking.get("/film").download(to: film), on: client)
        try FileManager.default.removeItem(at: place)
        session.finish(0, content: "new")
        let transfer = try #require(await next())
        guard case .failure(.failed(_, _, let response?)) = transfer.result else { throw Surprise("\(transfer)") }
        #expect(response.httpStatus == 200 && transfer.file == nil)
    }

    @Test
    func aCancelledTransferFinishesAsCancelled() async throws {
        for id in ["1", "2"] {
            try await transfers.start(SimpleNetworking.get("/\(id)").download(to: file(id)), on: client, id: id)
        }
        await transfers.cancel("2")
        let transfer = try #require(await next())
        guard case .failure(let error) = transfer.result else { throw Surprise("\(transfer)") }
        #expect(transfer.id == "2" && error.isCancellation)
    }

    @Test
    func aLostConnectionIsANetworkingError() async throws {
        try await transfers.start(SimpleNetworking.get("/film").download(to: file("film")), on: client)
        session.finish(0, error: .failed(NetworkFailure(.connectionLost)))
        let transfer = try #require(await next())
        guard case .failure(.networkingError(let failure, let head)) = transfer.result else {
            throw Surprise("\(transfer)")
        }
        #expect(failure.kind == .connectionLost && head.url.path == "/film")
    }

    @Test
    func aTransferOfAnEarlierLaunchFinishes() async throws {
        let film = try file("film.mp4")
        try await transfers.start(SimpleNetworking.get("/film").download(to: film), on: client, id: "7")
        let later = Session()
        let laterTransfers = Self.transfers(later)
        later.started.add(session.started.elements[0])
        later.finish(0, content: "new")
        let transfer = await laterTransfers.finished.first { _ in true }
        #expect(transfer?.id == "7" && transfer?.file == film)
        #expect(try Data(contentsOf: film) == Data("new".utf8))
    }

    @Test
    func tasksOfOthersAreIgnored() async throws {
        let receiver = try #require(session.receiver.withLock { $0 })
        receiver.complete(describedAs: nil, response: nil, error: .failed(NetworkFailure(.other)), forTask: 8)
        receiver.complete(describedAs: "other", response: nil, error: nil, forTask: 9)
        try await transfers.start(SimpleNetworking.get("/film").download(to: file("film")), on: client, id: "own")
        session.finish(0, content: "new")
        #expect(await next()?.id == "own")
    }

    @Test
    func theResponseToAnUploadIsLimited() async throws {
        let film = try file("film.mp4", "content")
        try await transfers.start(
            SimpleNetworking.put("/film").body(file: film, contentType: "video/mp4"),
            on: client
        )
        session.finish(0, content: String(repeating: "x", count: (1 << 20) + 1))
        #expect(try await next()?.result.get().data.count == 1 << 20)
    }

    static let unsuitable: [(String, @Sendable (URL) -> SimpleRequest)] = [
        ("in memory", { _ in SimpleNetworking.get("/x") }),
        ("data", { _ in SimpleNetworking.put("/x").body(text: "content") }),
        ("both", { SimpleNetworking.put("/x").body(file: $0, contentType: "video/mp4").download(to: $0) }),
        ("data and download", { SimpleNetworking.post("/x").body(text: "content").download(to: $0) }),
        ("resumes", { SimpleNetworking.put("/x").body(file: $0, contentType: "video/mp4").resumesUpload() }),
        ("missing file", { SimpleNetworking.put("/x").body(file: $0, contentType: "video/mp4") }),
        ("missing folder", { SimpleNetworking.get("/x").download(to: $0.appendingPathComponent("film")) }),
        ("no redirects", { SimpleNetworking.get("/x").download(to: $0).redirects(.never) }),
        (
            "GET with a body",
            { SimpleNetworking.get("/x").body(file: $0, contentType: "video/mp4").allowsBodyOnGet() }
        ),
    ]

    @Test(arguments: unsuitable.indices)
    func aRequestThatCannotBeTransferredInTheBackgroundIsRefused(index: Int) async throws {
        let (name, make) = Self.unsuitable[index]
        let request = make(try file("missing"))
        await #expect(throws: SimpleNetworkingError.self, "\(name)") { try await transfers.start(request, on: client) }
        #expect(session.started.elements.isEmpty, "\(name)")
    }

    @Test
    func objectsWithOneIdentifierShareASessionAndItsTransfers() async throws {
        let identifier = UUID().uuidString
        let (first, second) = (Session(), Session())
        do {
            let request = try SimpleNetworking.get("/film").download(to: file("film"))
            try await Self.transfers(first, identifier: identifier).start(request, on: client, id: "7")
        }
        let later = Self.transfers(second, identifier: identifier)
        #expect(second.receiver.withLock { $0 == nil })
        first.finish(0, content: "new")
        #expect(await later.finished.first { _ in true }?.id == "7")
    }

    @Test
    func aCancelledIterationLosesNoTransfer() async throws {
        let isWaiting = Gate()
        let task = Task { [transfers] in
            isWaiting.open()
            return await transfers.finished.first { _ in true }
        }
        try await isWaiting.wait()
        task.cancel()
        #expect(await task.value == nil)
        try await transfers.start(SimpleNetworking.get("/film").download(to: file("film")), on: client, id: "7")
        session.finish(0, content: "new")
        #expect(await next()?.id == "7")
    }

    @Test
    func aTransferThatTheSystemEndedIsNotCancelled() async throws {
        try await transfers.start(SimpleNetworking.get("/film").download(to: file("film")), on: client)
        session.finish(0, error: .endedBySystem(URLError(.cancelled)))
        guard case .failure(.networkingError(let failure, _))? = await next()?.result else {
            throw Surprise("no failure")
        }
        #expect(failure.detail?.contains("the system ended the transfer") == true)
    }

    @Test
    func aDownloadWhoseFileNeverCameIsAFailure() async throws {
        try await transfers.start(SimpleNetworking.get("/film").download(to: file("film")), on: client)
        session.finish(0)
        guard case .failure(.failed)? = await next()?.result else { throw Surprise("no failure") }
    }

    /// Replaces the file of an upload, as middleware does that encrypts it.
    private struct Replacing: Middleware {
        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            var request = request
            request.body = .data(Data("other".utf8))
            return try await next(request)
        }
    }

    @Test(arguments: [true, false])
    func aBodyThatMiddlewareReplacesIsRefused(isUpload: Bool) async throws {
        let client = SimpleNetworking(over: StubTransport(), through: [Replacing()])
        let film = try file("film", "content")
        let request =
            isUpload
            ? SimpleNetworking.put("/x").body(file: film, contentType: "video/mp4")
            : SimpleNetworking.get("/x").download(to: film)
        await #expect(throws: SimpleNetworkingError.self) { try await transfers.start(request, on: client) }
        #expect(session.started.elements.isEmpty)
    }

    /// Answers without sending.
    private struct Answering: Middleware {
        func intercept(_: TransportRequest, next _: @escaping Next) async throws -> TransportResponse {
            TransportResponse(httpStatus: 200)
        }
    }

    @Test
    func aStartThatMiddlewareAnswersIsAnError() async throws {
        let client = SimpleNetworking(over: StubTransport(), through: [Answering()])
        let request = try SimpleNetworking.get("/film").download(to: file("film"))
        await #expect(throws: SimpleNetworkingError.self) { try await transfers.start(request, on: client) }
        #expect(session.started.elements.isEmpty)
    }

    @Test
    func nothingStartsAfterTheStartWasGivenUp() async throws {
        let film = try file("film")
        let request = SimpleNetworking.get("/film").download(to: film)
        let transport = try BackgroundTransport(session, request, id: "7")
        #expect(!transport.abandon())
        let url = try #require(URL(string: "https://api.example.com/film"))
        _ = try await transport.send(TransportRequest(head: RequestHead(method: .get, url: url)))
        #expect(session.started.elements.isEmpty && !transport.abandon())
    }

    @Test @MainActor
    func theAppIsToldWhenAllEventsAreHandled() async throws {
        let identifier = UUID().uuidString
        let transfers = Self.transfers(session, identifier: identifier)
        let receiver = try #require(session.receiver.withLock { $0 })
        let isTold = Gate()
        #expect(!transfers.handleEvents(for: "other") { Issue.record("it is another session's") })
        #expect(transfers.handleEvents(for: identifier) { isTold.open() })
        for number in 0..<2 {
            let request = try SimpleNetworking.get("/film").download(to: file("film \(number)"))
            try await transfers.start(request, on: client, id: "\(number)")
            session.finish(number, content: "new")
        }
        receiver.finishEvents()
        let handled = Recorder<String>()
        let task = Task {
            for await transfer in transfers.finished { handled.add(transfer.id) }
        }
        try await isTold.wait()
        #expect(handled.elements == ["0", "1"])
        task.cancel()
        // Without a transfer, there is nothing to wait for.
        let isToldAgain = Gate()
        receiver.finishEvents()
        transfers.handleEvents(for: identifier) { isToldAgain.open() }
        try await isToldAgain.wait()
    }

    #if !canImport(Darwin)
        @Test
        func thereAreNoBackgroundTransfersOnLinux() async throws {
            let transfers = BackgroundTransfers(identifier: UUID().uuidString)
            let request = try SimpleNetworking.get("/film").download(to: file("film"))
            let error = await #expect(throws: SimpleNetworkingError.self) {
                try await transfers.start(request, on: client)
            }
            #expect(error?.summary.contains("need URLSession on an Apple platform") == true)
            #expect(await transfers.unfinished().isEmpty)
            await transfers.cancel("any")
        }
    #endif

    @Test(arguments: ["/var/mobile/A/Documents/film.mp4", "/var/mobile/AB/film.mp4", "/tmp/film.mp4"])
    func aDestinationInTheHomeFolderMovesWithTheFolder(path: String) throws {
        let url = try #require(URL(string: "https://api.example.com/film"))
        let destination = URL(fileURLWithPath: path)
        let record = BackgroundRecord(id: "7", method: .get, url: url, destination: destination, home: "/var/mobile/A")
        let read = try #require(BackgroundRecord(try record.description))
        #expect(read == record)
        let moved = path.replacingOccurrences(of: "/var/mobile/A/", with: "/var/mobile/B/")
        #expect(read.destination(home: "/var/mobile/B")?.path == moved)
        #expect(BackgroundRecord(id: "7", method: .put, url: url, destination: nil).destination() == nil)
    }
}
