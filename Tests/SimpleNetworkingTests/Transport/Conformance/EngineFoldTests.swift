// In a process of its own, which the second response could end.
#if os(Linux) && compiler(>=6.2)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("Every engine: a first header field that begins with a blank", .serialized, .timeLimit(.minutes(5)))
    struct EngineFoldTests {
        /// libcurl 7.83 to 8.0 frees the last field of the response before once more, if the handle is used again.
        @Test(arguments: Engine.allCases)
        func aFirstFieldThatBeginsWithABlankHarmsNoConnectionThatWasUsedBefore(engine: Engine) async {
            await #expect(processExitsWith: .success) { [engine] in
                let server = try RawServer {
                    $0.path == "/fine"
                        ? .response(headers: ["X-Field": "value"], body: "fine")
                        : .raw("HTTP/1.1 200 OK\r\n X-Fold: yes\r\nContent-Length: 2\r\n\r\nok", end: .keepAlive)
                }
                let transport = try engine.transport()
                // RFC 9112 §2.2: the field is ignored, or the message is refused.
                let ends: Set = ["200", NetworkFailure.Kind.malformedResponse.rawValue]
                for _ in 0..<20 {
                    #expect(try await transport.get(server.url("/fine")).text == "fine")
                    let end = await transport.end(of: server.url("/folded"))
                    #expect(ends.contains(end), "\(end)")
                }
            }
        }
    }
#endif
