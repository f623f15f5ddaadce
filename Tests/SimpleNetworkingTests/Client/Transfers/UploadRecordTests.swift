import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// Uploads that a later run of the program resumes; another client stands for that run.
@Suite(.timeLimit(.minutes(5)))
struct UploadRecordTests {
    private let folder = ScratchFolder()
    private let film: URL
    private let record: URL
    private let server = StubTransport().on(.post, "/films", .cut(offering: "/uploads/7"), times: 1)

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        film = folder.url.appendingPathComponent("film")
        record = folder.url.appendingPathComponent("film.upload")
        try Data.film.write(to: film)
    }

    private var isRecorded: Bool { FileManager.default.fileExists(atPath: record.path) }

    private func request(_ method: HTTPMethod = .post, path: String = "/films") -> SimpleRequest {
        SimpleRequest(method, path: path).body(file: film, contentType: .text).resumesUpload(record: record)
    }

    /// Begins the upload with a client that never gets further than the first 4 bytes.
    private func interrupt() async {
        server.on(.head, "/uploads/7", .state(4), times: 6)
        server.on(.patch, "/uploads/7", .failure(.connectionLost), times: 6)
        #expect(await request().execute(on: server.resumingClient()).ended().error != nil)
        #expect(isRecorded)
    }

    private func send(_ request: SimpleRequest) async -> Result<SimpleResponse, SimpleNetworkingError> {
        await request.execute(on: server.resumingClient()).ended()
    }

    @Test
    func aLaterRunSendsOnlyTheRest() async throws {
        await interrupt()
        let before = server.log.count
        server.on(.head, "/uploads/7", .state(4)).on(.patch, "/uploads/7", .status(201))
        #expect(await send(request()).value?.httpStatus == 201)
        #expect(server.log.dropFirst(before) == ["HEAD /uploads/7", "PATCH /uploads/7"])
        #expect(server.requests.last?.headers["Upload-Offset"] == "4" && server.requests.last?.body.length == 6)
        #expect(!isRecorded)
    }

    @Test
    func twoRequestsNeverUseOneRecordAtOnce() async throws {
        let gate = Gate()
        server.on(.head, "/uploads/7", .state(4)).on(.patch, "/uploads/7", .status(201).after(gate))
        let first = request().execute(on: server.resumingClient())
        await gate.arrivals(1)
        guard case .invalidRequest(let reason, _)? = await send(request()).error else { throw Surprise("sent") }
        #expect(reason == "another request is writing to film.upload")
        gate.open()
        #expect(await first.ended().value?.httpStatus == 201)
        #expect(server.log == ["POST /films", "HEAD /uploads/7", "PATCH /uploads/7"])
    }

    @Test
    func onlyThisUserCanReadTheRecord() async throws {
        await interrupt()
        let attributes = try FileManager.default.attributesOfItem(atPath: record.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test(arguments: ["content", "target"])
    func anotherUploadBeginsAnew(what: String) async throws {
        await interrupt()
        let before = server.log.count
        server.on(.post, "*", .status(201))
        var path = "/films"
        switch what {
        case "content": try Data("9876543210".utf8).write(to: film)
        default: path = "/others"
        }
        #expect(await send(request(path: path)).value?.httpStatus == 201)
        #expect(server.log.dropFirst(before) == ["POST \(path)"])
    }

    @Test(arguments: [403, 404])
    func anUploadThatTheServerHasForgottenOrRefusesBeginsAnewOnceItIsForgottenHere(status: Int) async throws {
        await interrupt()
        server.on(.head, "/uploads/7", .status(status)).on(.post, "/films", .status(201))
        // The upload may have been complete, and a POST must not be carried out twice.
        #expect(await send(request()).error != nil)
        #expect(!isRecorded)
        #expect(await send(request()).value?.httpStatus == 201)
    }

    @Test
    func theRecordOfAnUntrustedOriginGetsNoCredentials() async throws {
        let abroad = StubTransport()
            .on(.post, "/films", .cut(offering: "https://cdn.example.com/7"), times: 1)
            .on(.head, "/7", .status(503), times: 6)
            .on(.head, "/7", .state(4)).on(.patch, "/7", .status(201))
        let configure: @Sendable (inout SimpleNetworking.Configuration) -> Void = {
            $0.defaultHeaders["Authorization"] = "Bearer secret"
        }
        #expect(await request().execute(on: abroad.resumingClient(configure)).ended().error?.httpStatus == 503)
        #expect(await request().execute(on: abroad.resumingClient(configure)).ended().value?.httpStatus == 201)
        let sent = abroad.requests.filter { $0.url.host == "cdn.example.com" }
        #expect(sent.count == 8 && sent.allSatisfy { !$0.headers.contains("Authorization") })
    }

    @Test
    func aFileThatIsNoRecordIsKeptAndALinkIsNotFollowed() async throws {
        let precious = folder.url.appendingPathComponent("precious")
        try Data("kept".utf8).write(to: precious)
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: precious)
        for file in [precious, link, film] {
            let request = SimpleRequest(.post, path: "/films").body(file: film, contentType: .text)
            guard case .invalidRequest(let reason, _)? = await send(request.resumesUpload(record: file)).error else {
                throw Surprise("sent")
            }
            #expect(reason.contains("is not the record of an upload"))
        }
        #expect(try Data(contentsOf: precious) == Data("kept".utf8) && Data(contentsOf: film) == .film)
    }

    @Test
    func anEmptyRecordIsReplaced() async throws {
        try Data().write(to: record)
        await interrupt()
        server.on(.head, "/uploads/7", .state(4)).on(.patch, "/uploads/7", .status(201))
        #expect(await send(request()).value?.httpStatus == 201)
    }

    @Test
    func anUploadWhoseRecordCannotBeWrittenContinues() async throws {
        let unfinished = record.appendingPathExtension("unfinished").appendingPathComponent("occupied")
        try FileManager.default.createDirectory(at: unfinished, withIntermediateDirectories: true)
        server.on(.head, "/uploads/7", .state(4)).on(.patch, "/uploads/7", .status(201))
        #expect(await send(request()).value?.httpStatus == 201)
        #expect(!isRecorded)
    }

    @Test
    func aRedirectToTheTargetKeepsTheRecord() async throws {
        let moved = StubTransport()
            .on(.post, "/films", .redirect(to: "/v2/films", status: 307))
            .on(.post, "/v2/films", .cut(offering: "/uploads/7"), times: 1)
            .on(.head, "/uploads/7", .state(4), times: 7)
            .on(.patch, "/uploads/7", .failure(.connectionLost), times: 6)
            .on(.patch, "/uploads/7", .status(201))
        #expect(await request().execute(on: moved.resumingClient()).ended().error != nil)
        #expect(await request().execute(on: moved.resumingClient()).ended().value?.httpStatus == 201)
        #expect(moved.log.suffix(3) == ["POST /films", "HEAD /uploads/7", "PATCH /uploads/7"])
        #expect(moved.log.count { $0 == "POST /v2/films" } == 1)
        #expect(!isRecorded)
    }

    @Test
    func aResponseOfAnotherTypeEndsTheUpload() async throws {
        await interrupt()
        server.on(.head, "/uploads/7", .state(4)).on(.patch, "/uploads/7", .text("<html>", status: 201))
        let saved = folder.url.appendingPathComponent("saved")
        let end = await send(request().acceptable(types: [.json]).download(to: saved))
        guard case .unacceptableContentType? = end.error else { throw Surprise("\(end)") }
        #expect(!isRecorded && !FileManager.default.fileExists(atPath: saved.path))
    }

    @Test
    func aRecordNeedsAFileToSendAndAFolder() async throws {
        let data = SimpleRequest.film().resumesUpload(record: record)
        let lost = SimpleRequest(.post, path: "/films").body(file: film, contentType: .text)
            .resumesUpload(record: URL(fileURLWithPath: "/nowhere/film.upload"))
        for (request, reason) in [(data, "only the upload of a file"), (lost, "the folder of film.upload")] {
            guard case .invalidRequest(let found, _)? = await send(request).error else { throw Surprise("sent") }
            #expect(found.contains(reason))
        }
        #expect(server.log.isEmpty)
    }
}
