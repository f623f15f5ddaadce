#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite(
        "CurlTransport, frames of HTTP/2 without content",
        .serialized,
        .timeLimit(.minutes(5)),
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for certificates")
    )
    struct CurlFloodTests {
        let certificates: NginxServer

        init() throws { certificates = try #require(NginxServer.shared) }

        static let floods = [
            "empty content": Frame.frame(0), "padding": Frame.frame(0, flags: 8, [16] + Array(repeating: 0, count: 16)),
            "priorities": Frame.frame(2, [0, 0, 0, 0, 1]),
            "answers to pings": Frame.frame(6, flags: 1, stream: 0, ping),
            "windows": Frame.frame(8, [0, 0, 0, 1]),
            "unknown frames": Frame.frame(0x55, Array(repeating: 0, count: 100)),
        ]
        private static let ping = [UInt8](repeating: 0, count: 8)

        @Test(arguments: floods.keys.sorted())
        func aFloodDelaysNoOtherRequestAndNoTimeout(name: String) async throws {
            let frame = try #require(Self.floods[name])
            let flood = Data(repeatElement(frame, count: 60_000 / frame.count).joined())
            let hostile = try FrameServer(certificateIn: certificates.folder) { _ in
                [.send(Frame.fields() + Frame.data("begin", endsStream: false)), .flood(flood)]
            }
            let sound = try RawServer { _ in .response(body: "sound") }
            let transport = try curl { $0.caFile = certificates.ca }
            let begun = AsyncStream<Void>.makeStream()
            async let end = transport.end(of: hostile.url) {
                $0.timeout = 4
                $0.sink = .stream { _ in begun.continuation.yield() }
            }
            for await _ in begun.stream.prefix(1) {}
            for _ in 0..<20 { #expect(try await transport.get(sound.url()).text == "sound") }
            // Of both, what comes first depends on whether libcurl reads faster than the server sends.
            let ends = ["\(SimpleNetworkingError.Timeout.attempt(4))", NetworkFailure.Kind.malformedResponse.rawValue]
            let outcome = await end
            #expect(ends.contains(outcome), "\(outcome)")
        }
    }
#endif
