import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("Every engine: suspended requests", .serialized, .timeLimit(.minutes(5)))
struct EngineSuspensionTests {
    private let folder = ScratchFolder()

    @Test(arguments: Engine.allCases)
    func aSuspendedDownloadHoldsTheServerBackAndOutlivesTheIdleTimeout(engine: Engine) async throws {
        let data = (0..<512).reduce(into: Data()) { $0 += Data(repeating: UInt8($1 & 0xFF), count: 64 << 10) }
        let flow = RawServer.Flow()
        let isSuspended = RawServer.Latch()
        // Much follows only when the request is suspended. An engine that reports nothing before can't be held back.
        if engine.lacks(.pieces) { isSuspended.open() }
        let server = try RawServer { _ in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(data.count)\r\n\r\n".utf8)
            return RawServer.Reply([
                .send(head + data.prefix(1000)), .hold(isSuspended), .pour(data.dropFirst(1000), flow),
            ])
        }
        let client = try engine.client(server) { $0.timeout = 1 }
        let download = SimpleNetworking.get("/film").download(to: folder.url)
        download
            .on(progress: { _ in
                guard !isSuspended.isOpen else { return }
                download.suspend()
                isSuspended.open()
            })
            .execute(on: client)
        if !engine.lacks(.pieces) {
            if engine.lacks(.slowReaders) {
                try await flow.end()
            } else {
                // It takes the server two seconds to see that nothing moves.
                #expect(try await flow.sight() == .stalled)
            }
            #expect(download.isSuspended)
        }
        download.resume()
        #expect(await download.ended().value?.httpStatus == 200)
        #expect(try Data(contentsOf: folder.url) == data)
        #expect(server.requests.count == 1)
    }

    #if canImport(CLibcurl) && os(Linux)
        /// Content that is not in memory.
        enum Content: CaseIterable { case file, stream, streamOfUnknownLength, chunks }

        @Test(arguments: Content.allCases)
        func aSuspendedUploadOverLibcurlSendsNoMoreUntilItIsResumed(content: Content) async throws {
            // A server that reads slowly, so that the upload can't end before it is suspended.
            let server = try RawServer(pause: 0.003) {
                $0.method == "GET" ? .response() : .response(body: "\($0.body.count)")
            }
            let client = try Engine.curl.client(server)
            let data = Data(repeating: 7, count: 32 << 20)
            try data.write(to: folder.url)
            let upload = SimpleNetworking.put("/film")
            let isFirst = Locked<Void?>(())
            switch content {
            case .file: upload.body(file: folder.url, contentType: "video/mp4")
            case .stream:
                upload.body(streamOfLength: data.count, contentType: "video/mp4") { InputStream(data: data) }
            case .streamOfUnknownLength:
                upload.body(streamOfLength: nil, contentType: "video/mp4") { InputStream(data: data) }
            case .chunks:
                let chunks = BodyChunks { AsyncStream { data.prefix(1 << 20) }.prefix(32) }
                upload.body(chunks: chunks, contentType: "video/mp4")
            }
            let isSuspended = Gate()
            upload
                .on(progress: { progress in
                    guard progress.bytesSent > 0, isFirst.take() != nil else { return }
                    upload.suspend()
                    isSuspended.open()
                })
                .execute(on: client)
            try await isSuspended.wait()
            // Otherwise the upload would end meanwhile.
            for _ in 0..<500 { _ = try await client.send(SimpleNetworking.get("/other")) }
            #expect(!server.requests.contains { $0.method == "PUT" })
            #expect(upload.isSuspended)
            upload.resume()
            #expect(await upload.ended().value?.text == "\(data.count)")
        }

        @Test
        func aSuspendedDownloadOverLibcurlIsNotIdleWhileItsServerSendsNothing() async throws {
            let latches = [RawServer.Latch(), RawServer.Latch()]
            latches[0].open()
            defer { latches[1].open() }
            let flow = RawServer.Flow()
            let data = Data(repeating: 7, count: 32 << 20)
            let server = try RawServer { request in
                guard request.path == "/film" else { return .watched(data, by: flow) }
                return .parts([(latches[0], "one "), (latches[1], "two")])
            }
            let client = try Engine.curl.client(server) { $0.timeout = 1 }
            let isBegun = Gate()
            let reports = Locked(0)
            let download = SimpleNetworking.get("/film").download(to: folder.url)
            download
                .on(progress: { _ in
                    // Later progress must not suspend it again.
                    if reports.next() == 1 { download.suspend() }
                    isBegun.open()
                })
                // On a busy machine, it may have been idle before.
                .on(completion: { _ in isBegun.open() })
                .execute(on: client)
            try await isBegun.wait()
            // This server waits for two seconds.
            var bytes = client.bytes(for: SimpleNetworking.get("/other")).makeAsyncIterator()
            _ = try await bytes.next()
            #expect(try await flow.sight() == .stalled)
            latches[1].open()
            download.resume()
            #expect(await download.ended().value?.httpStatus == 200)
            #expect(try Data(contentsOf: folder.url) == Data("one two".utf8))
        }

        /// Reads a part of the content, refuses the request when the client has no more to send, and reads no further.
        @Test(arguments: [Content.file, .stream])
        func aRefusedUploadOverLibcurlEndsThoughItIsSuspended(content: Content) async throws {
            let (listener, port) = try Socket.listening()
            let mayRefuse = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                defer { Socket.close(listener) }
                guard let socket = Socket.accepted(from: listener) else { return }
                defer { Socket.close(socket) }
                _ = Socket.receive(from: socket)
                mayRefuse.wait()
                _ = Socket.send(Data("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n".utf8), to: socket)
                while Socket.receive(from: socket) != nil {}
            }
            let transport = try curl()
            let client = SimpleNetworking(baseURL: try #require(URL(string: "http://127.0.0.1:\(port)"))) {
                $0.transport = transport
                $0.logger = .quiet
            }
            let data = Data(repeating: 7, count: 48 << 20)
            try data.write(to: folder.url)
            let upload = SimpleNetworking.put("/film")
            if content == .file {
                upload.body(file: folder.url, contentType: "video/mp4")
            } else {
                upload.body(streamOfLength: data.count, contentType: "video/mp4") { InputStream(data: data) }
            }
            upload
                .on(progress: { progress in
                    guard progress.bytesSent > 0, !upload.isSuspended else { return }
                    upload.suspend()
                    mayRefuse.signal()
                })
                .execute(on: client)
            #expect(await upload.ended().error?.httpStatus == 413)
        }
    #endif
}
