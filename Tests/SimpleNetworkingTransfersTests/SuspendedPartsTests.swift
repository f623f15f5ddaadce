import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// What a suspended request has received in parts, however it takes them.
@Suite(.timeLimit(.minutes(5)))
struct SuspendedPartsTests {
    enum Way: CaseIterable { case download, awaitedDownload, bytes }

    private let folder = ScratchFolder()
    private var file: URL { folder.url }
    private let chunks = Recorder<Data>()

    private func transfer(_ request: SimpleRequest, _ way: Way, on client: SimpleNetworking) -> Task<Void, any Error> {
        switch way {
        case .download:
            let download = request.download(to: file).execute(on: client)
            return Task { _ = try await download.ended().get() }
        case .awaitedDownload: return Task { [file] in try await client.download(for: request, to: file) }
        case .bytes: return Task { [chunks] in for try await chunk in client.bytes(for: request) { chunks.add(chunk) } }
        }
    }

    private func received(_ way: Way, isPartial: Bool) throws -> String {
        guard way != .bytes else { return String(decoding: chunks.elements.joined(), as: UTF8.self) }
        return try String(contentsOf: isPartial ? file.appendingPathExtension("partial") : file, encoding: .utf8)
    }

    @Test(arguments: Way.allCases)
    func noFurtherPartArrivesWhileTheRequestIsSuspended(way: Way) async throws {
        let transport = TwoParts()
        let request = SimpleNetworking.get("/film")
        let transfer = transfer(request, way, on: SimpleNetworking(over: transport))
        try await transport.isBegun.wait()
        request.suspend()
        transport.mayGoOn.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(try received(way, isPartial: true) == "one ")
        request.resume()
        try await transfer.value
        #expect(try received(way, isPartial: false) == "one two")
    }
}
