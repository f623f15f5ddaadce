import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore

/// A request that has a file for its content, and is read as a stream all the same.
@Suite(.timeLimit(.minutes(1)))
struct TwoDestinationTests {
    /// The call that executes it decides.
    @Test(arguments: [.stream, .eventStream] as [SecondRequest.Cause])
    func theReaderHasTheContentAndTheFileStaysAsItIs(reader: SecondRequest.Cause) async throws {
        let file = try ScratchFile(Data("old".utf8))
        let server = StubTransport().on("/x", .pieces("data: new\n\n", type: "text/event-stream"))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/x").download(to: file.url)
        if reader == .stream {
            let read = await client.bytes(for: request).all()
            #expect(read.error == nil)
            #expect(read.elements.reduce(Data(), +) == Data("data: new\n\n".utf8))
        } else {
            let read = await client.events(for: request).all()
            #expect(read.error == nil)
            #expect(read.elements.map(\.data) == ["new"])
        }
        #expect(file.content == Data("old".utf8))
        #expect(server.requests.count == 1)
    }
}
