import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// How reports of progress end, over sockets.
@Suite(.timeLimit(.minutes(5)))
struct ProgressEndTests {
    @Test(arguments: Engine.allCases, [(204, ""), (200, ""), (200, "thank you")])
    func anUploadIsCompleteOnce(engine: Engine, reply: (status: Int, body: String)) async throws {
        let server = try RawServer { _ in .response(status: reply.status, body: reply.body) }
        let file = try ScratchFile(Data(count: 3_000_000))
        let seen = Recorder<TransferProgress>()
        let request = try engine.client(server).post("/x") {
            $0.body(file: file.url, contentType: .octetStream).on(isolation: nil, progress: { seen.add($0) })
        }
        #expect(await request.ended().value?.httpStatus == reply.status)
        #expect(seen.elements.last?.bytesSent == 3_000_000)
        #expect(seen.elements.filter { $0.fractionSent == 1 }.count == 1)
        #expect(seen.elements.last?.fractionSent == 1)
    }

    @Test(arguments: Engine.allCases, [true, false])
    func aDownloadIsCompleteOnce(engine: Engine, knowsLength: Bool) async throws {
        let server = try RawServer { _ in knowsLength ? .response(body: "content") : .chunked(["con", "tent"]) }
        let seen = Recorder<TransferProgress>()
        let request = try engine.client(server).get("/x") { $0.on(isolation: nil, progress: { seen.add($0) }) }
        await request.ended()
        #expect(seen.elements.filter { $0.fractionReceived == 1 }.map(\.bytesReceived) == [7])
        #expect(seen.elements.last?.fractionReceived == 1)
    }
}
