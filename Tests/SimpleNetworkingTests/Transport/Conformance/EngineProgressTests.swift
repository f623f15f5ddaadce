import Foundation
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("Every engine: progress", .serialized, .timeLimit(.minutes(5)))
struct EngineProgressTests {
    @Test(arguments: Engine.allCases, [true, false])
    func progressGrowsUntilComplete(engine: Engine, knowsLengths: Bool) async throws {
        let server = try RawServer { knowsLengths ? .mirror($0) : .chunked($0.body, field: "X-A: b") }
        let data = Data(repeating: 65, count: 3_000_000)
        let body = RequestBody.stream(length: knowsLengths ? data.count : nil) { InputStream(data: data) }
        let seen = Recorder<TransferProgress>()
        let response = try await engine.transport().get(server.url(), method: .put, body: body) {
            $0.progress = { seen.add($0) }
        }
        #expect(response.data == data)
        let sent = !knowsLengths && engine.lacks(.sizesOfStreams) ? 0 : data.count
        if let count = response.metrics.bytesSent { #expect(count == data.count) }
        let whole = TransferProgress(
            bytesSent: sent,
            bytesToSend: knowsLengths ? data.count : nil,
            bytesReceived: data.count,
            bytesToReceive: knowsLengths ? data.count : nil
        )
        let all = seen.elements
        #expect(all.last == whole)
        #expect(all.allSatisfy { $0.bytesToSend == whole.bytesToSend })
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.bytesSent <= $1.bytesSent })
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.bytesReceived <= $1.bytesReceived })
        if engine.lacks(.pieces) { #expect(all.count == 1) }
    }

    @Test(arguments: Engine.allCases)
    func progressOfDataAndFilesEndsComplete(engine: Engine) async throws {
        let server = try RawServer { _ in .response(status: 404, body: "sorry") }
        let data = Data(repeating: 65, count: 200_000)
        let file = try ScratchFile(data)
        let transport = try engine.transport()
        for body in [RequestBody.data(data), .file(file.url)] {
            let seen = Recorder<TransferProgress>()
            _ = try await transport.get(server.url(), method: .put, body: body) { $0.progress = { seen.add($0) } }
            let whole = TransferProgress(
                bytesSent: data.count,
                bytesToSend: data.count,
                bytesReceived: 5,
                bytesToReceive: 5
            )
            #expect(seen.elements.last == whole)
        }
    }

    @Test(arguments: Engine.allCases, [true, false])
    func progressOfADownloadIsReportedDuringTheTransfer(engine: Engine, isStreamed: Bool) async throws {
        let latches = [RawServer.Latch(), RawServer.Latch()]
        latches[0].open()
        if engine.lacks(.pieces) { latches[1].open() }
        let server = try RawServer { _ in .parts([(latches[0], "one"), (latches[1], "two")]) }
        let seen = Recorder<TransferProgress>()
        let transport = try engine.transport()
        _ = try await withinSeconds(120) {
            try await transport.get(server.url()) {
                if isStreamed { $0.sink = .stream { _ in } }
                $0.progress = { progress in
                    seen.add(progress)
                    if progress.bytesReceived == 3 { latches[1].open() }
                }
            }
        }
        let values = [3, 6].map { TransferProgress(bytesReceived: $0, bytesToReceive: 6) }
        #expect(seen.elements.filter { $0.bytesReceived > 0 } == (engine.lacks(.pieces) ? [values[1]] : values))
    }

    @Test(arguments: Engine.allCases)
    func noProgressIsReportedTwiceToASlowReader(engine: Engine) async throws {
        let latches = [RawServer.Latch(), RawServer.Latch()]
        latches[0].open()
        if engine.lacks(.pieces) { latches[1].open() }
        let server = try RawServer {
            $0.path == "/" ? .parts([(latches[0], "one"), (latches[1], "two")]) : .response(status: 204)
        }
        let seen = Recorder<TransferProgress>()
        let transport = try engine.transport()
        _ = try await withinSeconds(120) {
            try await transport.get(server.url()) {
                $0.sink = .stream { part in
                    if case .content = part { latches[1].open() }
                    // Meanwhile, the next part arrives.
                    for _ in 0..<10 { _ = try await transport.get(server.url("/other")) }
                }
                $0.progress = { seen.add($0) }
            }
        }
        #expect(Set(seen.elements).count == seen.elements.count)
    }

    @Test(arguments: Engine.allCases)
    func progressOfAnUploadIsReportedDuringTheTransfer(engine: Engine) async throws {
        let half = 200_000
        let latch = RawServer.Latch()
        // Foundation has one thread for all, and it would wait forever.
        defer { latch.open() }
        if engine.lacks(.pieces) { latch.open() }
        let server = try RawServer { _ in .response(status: 204) }
        let seen = Recorder<Int>()
        let transport = try engine.transport()
        let body = RequestBody.stream(length: 2 * half) { HeldStream(half, until: latch) }
        _ = try await withinSeconds(120) {
            try await transport.get(server.url(), method: .put, body: body) {
                $0.progress = { progress in
                    seen.add(progress.bytesSent)
                    if progress.bytesSent > 0 { latch.open() }
                }
            }
        }
        #expect(server.requests.map(\.body.count) == [2 * half])
        #expect(seen.elements.last == 2 * half)
        #expect(seen.elements.contains { 0 < $0 && $0 <= half } != engine.lacks(.pieces))
    }

    @Test(arguments: Engine.allCases, [true, false])
    func compressedContentCountsAsItCame(engine: Engine, knowsLength: Bool) async throws {
        let server = try RawServer { _ in
            knowsLength
                ? .response(headers: ["Content-Encoding": "gzip"], data: Gzip.hello)
                : .chunked(Gzip.hello, field: "Content-Encoding: gzip")
        }
        let seen = Recorder<TransferProgress>()
        let response = try await engine.transport().get(server.url()) { $0.progress = { seen.add($0) } }
        #expect(response.text == "hello hello")
        let isUnknown = !knowsLength && engine.lacks(.compressedProgress)
        let whole = TransferProgress(
            bytesReceived: isUnknown ? response.data.count : Gzip.hello.count,
            bytesToReceive: knowsLength ? Gzip.hello.count : nil
        )
        #expect(seen.elements.last == whole)
    }

    @Test(arguments: Engine.allCases)
    func progressIsReportedInTheSendingTaskAndOnlyForContent(engine: Engine) async throws {
        let server = try RawServer { $0.path == "/" ? .response(body: "content") : .response(status: 204) }
        let transport = try engine.transport()
        let places = Recorder<String>()
        try await Place.$current.withValue("here") {
            for path in ["/nothing", "/"] {
                _ = try await transport.get(server.url(path)) {
                    $0.progress = { _ in places.add("\(path) \(Place.current)") }
                }
            }
        }
        #expect(Set(places.elements) == ["/ here"])
    }
}
