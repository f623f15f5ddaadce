import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Downloads to files, over sockets.
@Suite(.timeLimit(.minutes(5)))
struct DownloadTests {
    private let folder = ScratchFolder()
    private let file: URL

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
    }

    private var content: Data? { try? Data(contentsOf: file) }
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path))?.sorted() ?? []
    }

    private let request = SimpleNetworking.get("/film.mp4")

    @Test
    func theFileIsThereWhenItIsCompleteAndTakesThePlaceOfWhatWasThere() async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { _ in .parts([(latch, "new")]) }
        try Data("old".utf8).write(to: file)
        async let download = SimpleNetworking(of: server).download(for: request, to: file)
        await server.wait(forRequests: 1)
        try await eventually { names.contains("film.mp4.partial") }
        #expect(content == Data("old".utf8))
        latch.open()
        let response = try await download
        #expect(response.value == file && response.statusCode == 200 && response.data.isEmpty)
        #expect(content == Data("new".utf8) && names == ["film.mp4"])
    }

    @Test
    func handlersForAURLTakeTheFileOfADownload() async throws {
        let server = try RawServer { $0.path == "/missing" ? .json(#""other""#, status: 404) : .response(body: "new") }
        let urls = Recorder<String>()
        for path in ["/film.mp4", "/missing"] {
            await SimpleNetworking(of: server).get(path) { [file] request in
                request.download(to: file)
                    .on(success: URL.self) { saved in urls.add("success \(saved == file)") }
                    .on(error: URL.self, { _, url, _ in urls.add("error \(url?.path ?? "none")") })
                    .on(completion: URL.self, { result in urls.add("end \((try? result.get()) == file)") })
            }.ended()
        }
        #expect(urls.elements == ["success true", "end true", "error other", "end false"])
        #expect(content == Data("new".utf8))
    }

    #if os(Linux)
        @Test
        func theFileIsClosedWhenTheContentIsCompleteAndWhenItIsCutShort() async throws {
            let server = try RawServer { $0.path == "/cut" ? .truncated : .response(body: "new") }
            for path in ["/", "/cut"] {
                _ = try? await SimpleNetworking(of: server).download(for: SimpleNetworking.get(path), to: file)
                #expect(server.requests.last?.path == path)
                let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + number)
                }
                #expect(!open.contains { $0.contains(folder.url.path) })
            }
        }
    #endif

    @Test(arguments: [204, 200])
    func responseWithoutContentMakesAnEmptyFile(status: Int) async throws {
        let server = try RawServer { _ in .response(status: status) }
        try await SimpleNetworking(of: server).download(for: Request<Void>.get("/x"), to: file)
        #expect(content == Data() && names == ["film.mp4"])
    }

    @Test
    func whatIsNoSuccessLeavesTheFileAloneAndHasItsContentInTheError() async throws {
        let server = try RawServer { _ in .response(status: 404, body: "nothing here") }
        try Data("old".utf8).write(to: file)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await SimpleNetworking(of: server).download(for: request, to: file)
        }
        #expect(error?.httpStatus == 404 && error?.response?.text == "nothing here")
        #expect(content == Data("old".utf8) && names == ["film.mp4"])
    }

    @Test(arguments: [
        ["ETag: \"1\""], ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:38 GMT"],
    ])
    func interruptedDownloadRequestsOnlyTheRest(fields: [String]) async throws {
        let server = try FileReply.serve(FileReply(fields: fields, cut: 20_000), FileReply(fields: fields))
        try await fail(server)
        #expect(content == nil && names == ["film.mp4.partial", "film.mp4.partial.json"])
        // As after a new start of the program.
        let response = try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(response.statusCode == 206 && content == FileReply.content && names == ["film.mp4"])
        #expect(server.requests.map { $0[header: "Range"] } == [nil, "bytes=20000-"])
        #expect(server.requests.map { $0[header: "If-Range"].map { fields[0].hasSuffix($0) } } == [nil, true])
        #expect(server.requests.allSatisfy { $0[header: "Accept-Encoding"] == "identity" })
    }

    @Test
    func urlSessionEngineResumesToo() async throws {
        let server = try FileReply.serve(FileReply(cut: 20_000), FileReply())
        let seen = Recorder<TransferProgress>()
        let client = SimpleNetworking(of: server) {
            $0.sessionDelegate = RecordingDelegate()
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0))
        }
        let request = request.copy().on(isolation: nil, progress: { seen.add($0) })
        #expect(try await client.download(for: request, to: file).statusCode == 206)
        #expect(content == FileReply.content && names == ["film.mp4"])
        #expect(server.requests.map { $0[header: "Range"] } == [nil, "bytes=20000-"])
        #expect(seen.elements.last?.bytesReceived == 50_000 && seen.elements.last?.fractionReceived == 1)
    }

    @Test
    func retryResumesAnInterruptedDownload() async throws {
        let server = try FileReply.serve(FileReply(cut: 10_000), FileReply(cut: 15_000), FileReply())
        let client = SimpleNetworking(of: server) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
        }
        let response = try await client.download(for: request, to: file)
        #expect(response.attempt == 3 && content == FileReply.content)
        #expect(server.requests.map { $0[header: "Range"] } == [nil, "bytes=10000-", "bytes=25000-"])
    }

    @Test
    func whatHasChangedMeanwhileIsFetchedWhole() async throws {
        let changed = Data(FileReply.content.reversed())
        let server = try FileReply.serve(
            FileReply(cut: 20_000),
            FileReply(content: changed, fields: ["ETag: \"2\""])
        )
        try await fail(server)
        #expect(try await SimpleNetworking(of: server).download(for: request, to: file).statusCode == 200)
        #expect(content == changed)
    }

    @Test
    func downloadOfAnotherURLStartsOver() async throws {
        let server = try FileReply.serve(FileReply(cut: 20_000), FileReply())
        try await fail(server)
        try await SimpleNetworking(of: server).download(for: SimpleNetworking.get("/other.mp4"), to: file)
        #expect(server.requests.last?[header: "Range"] == nil && content == FileReply.content)
    }

    @Test(arguments: [
        [], ["ETag: W/\"1\""], ["ETag: \"1\"", "Content-Encoding: x"], ["ETag: \"1\"", "Accept-Ranges: none"],
        ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:37 GMT"],
    ])
    func downloadWithoutValidatorLeavesNoPartialFileAndStartsOver(fields: [String]) async throws {
        let server = try FileReply.serve(FileReply(fields: fields, cut: 20_000), FileReply())
        try await fail(server)
        #expect(names == [])
        try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(server.requests.last?[header: "Range"] == nil && content == FileReply.content)
    }

    /// A server may ignore `If-Range`, and the parts of two files are no file (RFC 9110 §15.3.7.3).
    @Test(arguments: [
        ["ETag: \"2\"", "X-Old: \"1\""], ["ETag: W/\"1\"", "X-Old: \"1\""],
    ])
    func aPartOfOtherContentIsDroppedAndAllIsFetched(fields: [String]) async throws {
        let changed = Data(FileReply.content.reversed())
        let server = try FileReply.serve(FileReply(cut: 20_000), FileReply(content: changed, fields: fields))
        try await fail(server)
        let response = try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(response.statusCode == 200 && content == changed)
        #expect(server.requests.map { $0[header: "Range"] } == [nil, "bytes=20000-", nil])
    }

    /// A tag without quotes is no validator, and a date is none for variants (RFC 9110 §8.8).
    @Test(arguments: [
        ["ETag: 1"], ["ETag: "], ["ETag: \""],
        [
            "Last-Modified: Tue, 02 Jan 2024 00:00:00 GMT", "Date: Wed, 03 Jan 2024 00:00:00 GMT",
            "Vary: Accept-Language",
        ],
    ])
    func contentWithoutAStrongValidatorIsFetchedAnew(fields: [String]) async throws {
        let server = try FileReply.serve(FileReply(fields: fields, cut: 20_000), FileReply(fields: fields))
        try await fail(server)
        try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(content == FileReply.content)
        #expect(server.requests.map { $0[header: "Range"] } == [nil, nil])
    }

    @Test
    func anEncodedPartIsDroppedAndAllIsFetched() async throws {
        let encoded = FileReply(fields: ["ETag: \"1\"", "Content-Encoding: x"])
        let server = try FileReply.serve(FileReply(cut: 20_000), encoded, FileReply())
        try await fail(server)
        try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(content == FileReply.content)
        #expect(server.requests.map { $0[header: "Range"] } == [nil, "bytes=20000-", nil])
    }

    @Test(arguments: [FileReply(wrongFirst: 19_999), FileReply(content: FileReply.content.prefix(20_000))])
    func aPartThatDoesNotFitIsDroppedAndAllIsFetched(answer: FileReply) async throws {
        let server = try FileReply.serve(FileReply(cut: 20_000), answer)
        try await fail(server)
        let response = try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(response.statusCode == 200 && content == answer.content)
        #expect(server.requests.map { $0[header: "Range"] } == [nil, "bytes=20000-", nil])
    }

    @Test(arguments: [304, 412, 416], [false, true])
    func aServerThatRefusesTheRestIsAskedForAllOfIt(status: Int, usesURLSession: Bool) async throws {
        let isFirst = Locked(true)
        let server = try RawServer { request in
            if request[header: "Range"] != nil { return .response(status: status) }
            let wasFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return FileReply(cut: wasFirst ? 20_000 : nil).reply(to: request)
        }
        try await fail(server)
        let client = SimpleNetworking(of: server) {
            if usesURLSession { $0.sessionDelegate = RecordingDelegate() }
        }
        let response = try await client.download(for: request, to: file)
        #expect(response.statusCode == 200 && content == FileReply.content && names == ["film.mp4"])
        #expect(server.requests.map { $0[header: "Range"] } == [nil, "bytes=20000-", nil])
    }

    private func fail(_ server: RawServer) async throws {
        await #expect(throws: SimpleNetworkingError.self) {
            try await SimpleNetworking(of: server).download(for: request, to: file)
        }
    }

    @Test
    func aCancelledDownloadIsResumed() async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { request in
            var reply = FileReply(cut: request[header: "Range"] == nil ? 1000 : nil).reply(to: request)
            if request[header: "Range"] == nil { reply.steps.append(.hold(latch)) }
            return reply
        }
        let client = SimpleNetworking(of: server)
        let task = Task { [request, file] in try await client.download(for: request, to: file) }
        let partial = file.appendingPathExtension("partial")
        try await eventually { (try? Data(contentsOf: partial))?.count == 1000 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The cancelled request's transfer may not have ended yet.
        try await client.download(for: request, to: file)
        #expect(content == FileReply.content)
    }

    /// The cache would have responded without writing the file, and stored a response without content.
    @Test(arguments: [true, false])
    func aCacheHasNothingToDoWithIt(isStored: Bool) async throws {
        let server = try RawServer { _ in .response(headers: ["Cache-Control": "max-age=60"], body: "content") }
        let client = SimpleNetworking(of: server) { $0.cache = ResponseCache() }
        if isStored { _ = try await client.send(request) }
        try await client.download(for: request, to: file)
        #expect(content == Data("content".utf8))
        var pieces = ""
        for try await piece in client.bytes(for: request) { pieces += String(decoding: piece, as: UTF8.self) }
        #expect(pieces == "content")
        #expect(try await client.send(request).text == "content")
        #expect(server.requests.count == 3)
    }

    @Test
    func twoRequestsDoNotWriteToOneFile() async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { _ in .parts([(latch, "content")]) }
        let client = SimpleNetworking(of: server)
        async let first = client.download(for: request, to: file)
        await server.wait(forRequests: 1)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.download(for: SimpleNetworking.get("/other"), to: file)
        }
        guard case .invalidRequest? = error else { throw "\(String(describing: error))".asError }
        latch.open()
        _ = try await first
        #expect(content == Data("content".utf8) && server.requests.count == 1)
    }

    @Test
    func downloadToANonFileURLFailsAndSendsNothing() async throws {
        let server = try RawServer { _ in .response(body: "content") }
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await SimpleNetworking(of: server).download(for: request, to: server.url("/x"))
        }
        guard case .invalidRequest? = error else { throw "\(String(describing: error))".asError }
        #expect(server.requests.isEmpty)
    }

    @Test
    func downloadAcceptsAnyTypeByDefault() async throws {
        let server = try RawServer { _ in .response(body: "content") }
        try await SimpleNetworking(of: server).download(for: request, to: file)
        try await SimpleNetworking(of: server).download(for: SimpleNetworking.get("/x").accept(.text), to: file)
        for try await _ in SimpleNetworking(of: server).bytes(for: request) {}
        _ = try await SimpleNetworking(of: server).send(request)
        let types = server.requests.map { $0[header: "Accept"] }
        #expect(types == ["*/*", MediaType.text.rawValue, "*/*", "*/*;q=0.5, application/json"])
    }

    @Test
    func aFolderThatDoesNotExistIsAnErrorWithItsName() async throws {
        let server = try RawServer { _ in .response(body: "content") }
        let nowhere = folder.url.appendingPathComponent("nowhere/film.mp4")
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await SimpleNetworking(of: server).download(for: request, to: nowhere)
        }
        guard case .failed? = error else { throw "\(String(describing: error))".asError }
        #expect(error?.description.contains("nowhere") == true)
    }

    @Test
    func handlerRequestDownloadsAndReportsProgress() async throws {
        let server = try FileReply.serve(FileReply(cut: 20_000), FileReply())
        let client = SimpleNetworking(of: server) {
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0))
        }
        let seen = Recorder<TransferProgress>()
        let last = Recorder<Int>()
        let request = client.get("/film.mp4") {
            $0.download(to: file)
                .on(isolation: nil, progress: { seen.add($0) })
                .on(isolation: nil, success: { _ in last.add(seen.elements.count) })
        }
        #expect(await request.ended().value?.httpStatus == 206)
        #expect(content == FileReply.content)
        let progress = seen.elements
        #expect(last.elements == [progress.count])
        let end = try #require(progress.last)
        #expect(end == TransferProgress(bytesToSend: 0, bytesReceived: 50_000, bytesToReceive: 50_000, attempt: 2))
        let counts = progress.filter { $0.attempt == 2 }.map(\.bytesReceived)
        #expect(counts == counts.sorted() && counts.allSatisfy { $0 >= 20_000 })
        #expect(progress.allSatisfy { ($0.bytesToReceive ?? 50_000) == 50_000 })
    }

    @Test
    func redirectsAndRefreshesDoNotTouchTheFile() async throws {
        let server = try RawServer { request in
            switch request.path {
            case "/film.mp4": .redirect(to: "/stored")
            case "/stored" where request[header: "Authorization"] == nil: .unauthorized()
            default: .response(body: "content")
            }
        }
        let client = SimpleNetworking(of: server)
        let download = client.get("/film.mp4") {
            $0.download(to: file).on(isolation: nil, httpStatus: 401) { request, _ in
                client.headers["Authorization"] = "Bearer t"
                request.retry()
                return false
            }
        }
        #expect(await download.ended().value?.httpStatus == 200)
        #expect(content == Data("content".utf8) && names == ["film.mp4"])
    }
}
