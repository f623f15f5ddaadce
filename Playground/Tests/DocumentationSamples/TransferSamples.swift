import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

private func transferInTheBackground(_ api: SimpleNetworking, _ file: URL) async throws {
    let transfers = BackgroundTransfers(identifier: "com.example.films")
    let film = SimpleNetworking.get("/films/7").download(to: file)
    try await transfers.start(film, on: api, id: "film 7")

    for await transfer in transfers.finished {
        print(transfer.id, transfer.file ?? "no file", transfer.result)
    }
}

/// Runs the samples about transfers, and checks what the documents say about them.
@Suite(.timeLimit(.minutes(5)))
struct TransferSamples {
    private struct User: Decodable, Sendable { let name: String }
    private struct Photo: Decodable, Sendable { let size: Int }

    private let place = ScratchFile()
    private let printed = Recorder<String>()
    private let stub = StubTransport().on("/news", .events("new"))

    /// What the samples call.
    private func print(_ item: Any) { printed.add("\(item)") }

    private func client(_ server: LoopbackServer) -> SimpleNetworking { SimpleNetworking(baseURL: server.url) }

    @Test
    func aDownloadReportsProgress() async throws {
        let server = try LoopbackServer(stub.on("/film.mp4", .text("content")))
        let api = client(server)
        let file = place.url

        let request = SimpleNetworking.get("/film.mp4").on(progress: { print($0.fractionReceived ?? 0) })
        try await api.download(for: request, to: file)

        #expect(place.content == Data("content".utf8))
        #expect(printed.elements.last == "1.0")
    }

    @Test
    func aFileIsUploaded() async throws {
        let server = try LoopbackServer(stub.on(.put, "/photos/7", .json(#"{"size": 7}"#)))
        let api = client(server)
        let source = ScratchFile(Data("content".utf8))
        let file = source.url

        let photo = Request<Photo>.put("/photos/7", headers: ["Content-Type": "image/jpeg"])
        print(try await api.upload(for: photo, fromFile: file).value.size)

        #expect(printed.elements == ["7"])
        #expect(stub.requests.first?.headers["Content-Type"] == "image/jpeg")
    }

    @Test
    func anUploadMayBeResumed() async throws {
        stub.on(
            .post,
            "/films",
            .failure(.connectionLost).afterInterim(
                104,
                headers: [
                    "Upload-Draft-Interop-Version": "6", "Location": "/uploads/7",
                ]
            )
        )
        stub.on(.head, "/uploads/7", .status(204, headers: ["Upload-Offset": "4", "Upload-Complete": "?0"]))
        stub.on(.patch, "/uploads/7", .status(201))
        let api = SimpleNetworking(host: "api.example.com") {
            $0.transport = stub
            $0.retryPolicy.backoff = .constant(0)
        }
        let source = ScratchFile(Data("content".utf8))
        let file = source.url

        let film = SimpleNetworking.post("/films").body(file: file, contentType: "video/mp4").resumesUpload()
        print(try await api.send(film).httpStatus)

        #expect(printed.elements == ["201"])
        #expect(stub.log == ["POST /films", "HEAD /uploads/7", "PATCH /uploads/7"])
    }

    @Test
    func aDownloadIsPaused() async throws {
        stub.on("/films/7", .text("content"))
        let api = SimpleNetworking(host: "api.example.com") { $0.transport = stub }
        let target = ScratchFile(Data())
        let file = target.url

        let download = api.get("/films/7") { $0.download(to: file) }
        download.suspend()
        download.resume()

        #expect(await download.ended().value?.httpStatus == 200)
        #expect(try Data(contentsOf: file) == Data("content".utf8))
    }

    #if os(Linux)
        @Test
        func backgroundTransfersAreAClearErrorOnLinux() async throws {
            let api = SimpleNetworking(host: "api.example.com") { $0.transport = stub }
            let target = ScratchFile(Data())
            let error = await #expect(throws: SimpleNetworkingError.self) {
                try await transferInTheBackground(api, target.url)
            }
            #expect(error?.description.contains("need URLSession on an Apple platform") == true)
        }
    #endif

    @Test
    func contentIsMadeWhileItIsSent() async throws {
        let server = try LoopbackServer(stub.on(.post, "/log", .status(204)))
        let api = client(server)
        let upload = SimpleNetworking.post("/log").body(
            chunks: BodyChunks {
                AsyncStream { stream in
                    for line in ["first", "second"] { stream.yield(Data(line.utf8)) }
                    stream.finish()
                }
            },
            contentType: .text
        )
        print(try await api.send(upload).httpStatus)
        #expect(stub.requests.first?.text == "firstsecond" && printed.elements == ["204"])
    }

    @Test
    func eventsAndJSONLinesAreStreamed() async throws {
        let server = try LoopbackServer(stub.on("/export", .text("{\"name\": \"Ada\"}\n")))
        let api = client(server)

        for try await event in api.events(for: SimpleNetworking.get("/news")) { print(event.data) }
        for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }

        #expect(printed.elements == ["new", "Ada"])
    }
}
