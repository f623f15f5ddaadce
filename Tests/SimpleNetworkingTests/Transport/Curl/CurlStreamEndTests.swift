#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    /// Whether a response without a length is whole (RFC 9113 §8.1).
    @Suite(
        "CurlTransport, the end of a stream of HTTP/2",
        .timeLimit(.minutes(5)),
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for certificates"),
        .enabled(if: isEndKnown, "this libcurl accepts a stream that its connection has cut short")
    )
    struct CurlStreamEndTests {
        /// What comes after the beginning of a response, in place of its end.
        struct Fault: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let steps: [FrameServer.Step]
            var kind = NetworkFailure.Kind.connectionLost

            init(_ name: String, _ bytes: Data, _ kind: NetworkFailure.Kind = .connectionLost) {
                (testDescription, steps, self.kind) = (name, [.send(bytes)], kind)
            }

            init(_ name: String, _ step: FrameServer.Step) { (testDescription, steps) = (name, [step]) }
        }

        static let badPing = Frame.frame(6, stream: 0, [1])
        static let faults =
            [
                Fault("a PING that is too short", badPing),
                Fault("a PING on a stream", Frame.frame(6, [0, 0, 0, 0, 0, 0, 0, 0])),
                Fault("a SETTINGS of five bytes", Frame.frame(4, stream: 0, [0, 0, 0, 0, 0])),
                Fault("an increment of 0", Frame.frame(8, stream: 0, [0, 0, 0, 0])),
                Fault("a window that overflows", Frame.frame(8, stream: 0, [127, 255, 255, 255])),
                Fault("content without a stream", Frame.frame(0, stream: 0, [0])),
                Fault("fields of another stream", Frame.frame(1, flags: 4, stream: 9, [0x88])),
                Fault("more padding than content", Frame.frame(0, flags: 8, [9, 0])),
                Fault("fields that can't be decoded", Frame.frame(1, flags: 5, [255, 255, 255, 255, 255, 255])),
                Fault("a frame that is too large", Frame.frame(0, Array(repeating: 0, count: 20_000))),
                Fault("a CONTINUATION of nothing", Frame.frame(9, flags: 4, [0x88])),
                Fault("fields that content interrupts", Frame.frame(1, [0, 1, 97, 1, 98]) + Frame.data("x")),
                Fault("a GOAWAY that is too short", Frame.frame(7, stream: 0, [0])),
                Fault("a reset that is too short", Frame.frame(3, [0])),
                Fault("HTTP/1.1", Data("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n".utf8)),
                Fault("trailers in the midst", Frame.fields(["x-sum: 1"], status: nil), .malformedResponse),
                Fault("a second status", Frame.fields(endsStream: true), .malformedResponse),
                Fault("the end", .end), Fault("the end, unannounced", .cut), Fault("a reset of TCP", .reset),
            ] + ([2, 4, 5, 7, 8, 9, 10, 11, 12] as [UInt8]).map { Fault("RST_STREAM with \($0)", Frame.reset($0)) }

        let certificates: NginxServer

        init() throws { certificates = try #require(NginxServer.shared) }

        /// What comes of a response without a length whose content goes into memory, and of one that is a stream.
        private func ends(of steps: [FrameServer.Step]) async throws -> [String] {
            var ends: [String] = []
            for isStream in [false, true] {
                let server = try FrameServer(certificateIn: certificates.folder) { _ in steps }
                let transport = try curl { $0.caFile = certificates.ca }
                ends.append(
                    await transport.end(of: server.url) {
                        $0.timeout = 10
                        if isStream { $0.sink = .stream { _ in } }
                    }
                )
            }
            return ends
        }

        static let beginning = Frame.fields() + Frame.data("begin", endsStream: false)

        @Test(arguments: faults)
        func aStreamWithoutItsEndIsNotWhole(fault: Fault) async throws {
            let expected = [fault.kind.rawValue, fault.kind.rawValue]
            let apart = try await ends(of: [.send(Self.beginning)] + fault.steps)
            #expect(apart == expected)
            guard case .send(let bytes) = fault.steps[0] else { return }
            let atOnce = try await ends(of: [.send(Self.beginning + bytes)])
            #expect(atOnce == expected)
        }

        static let end = Frame.data("end")
        static let wholes: [[FrameServer.Step]] = [
            [.send(beginning + end)], [.send(beginning), .send(end)],
            [.send(beginning + end + Frame.goAway(after: 1))], [.send(beginning + end), .send(Frame.goAway(after: 1))],
            [.send(Frame.goAway(after: 1) + beginning + end)], [.send(Frame.goAway(after: 1)), .send(beginning + end)],
            [.send(Frame.goAway(after: 127) + beginning), .send(end + Frame.goAway(after: 1)), .end],
            [.send(beginning + end + Frame.reset(0))], [.send(beginning + end), .end],
            [.send(beginning), .send(Frame.data("")), .end],
            [.send(beginning + end), .cut],
        ]

        @Test(arguments: wholes.indices)
        func aStreamWithItsEndIsWhole(index: Int) async throws {
            let ends = try await ends(of: Self.wholes[index])
            #expect(ends == ["200", "200"])
        }

        /// None of the streams is told of it.
        @Test
        func allStreamsOfABrokenConnectionAreCutShort() async throws {
            let server = try FrameServer(certificateIn: certificates.folder) { request in
                guard request.earlierHere > 0 else { return [.send(Frame.response)] }
                let beginning =
                    Frame.fields(stream: request.stream)
                    + Frame.data("begin", stream: request.stream, endsStream: false)
                return [.send(beginning)] + (request.earlier == 5 ? [.send(Self.badPing)] : [])
            }
            let transport = try curl { $0.caFile = certificates.ca }
            _ = try await transport.get(server.url)
            let ends = await withTaskGroup(of: String.self) { group in
                for _ in 0..<5 { group.addTask { await transport.end(of: server.url) { $0.timeout = 10 } } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(ends == Array(repeating: NetworkFailure.Kind.connectionLost.rawValue, count: 5))
            #expect(server.requests.map(\.connection) == [1, 1, 1, 1, 1, 1])
        }

        /// A stream that failed alone says nothing of the connection's end.
        @Test(arguments: [Frame.reset(2), Frame.data(String(repeating: "a", count: 100))])
        func aStreamIsCutShortThoughAnEarlierOneHasFailed(first: Data) async throws {
            let server = try FrameServer(certificateIn: certificates.folder) { request in
                if request.earlierHere == 0 { return [.send(Frame.fields() + first)] }
                let beginning =
                    Frame.fields(stream: request.stream)
                    + Frame.data("begin", stream: request.stream, endsStream: false)
                return [.send(beginning), .send(Self.badPing)]
            }
            let transport = try curl { $0.caFile = certificates.ca }
            #expect(await transport.end(of: server.url) { $0.maxResponseSize = 50 } != "200")
            let end = await transport.end(of: server.url) { $0.timeout = 10 }
            #expect(end == NetworkFailure.Kind.connectionLost.rawValue)
            #expect(server.requests.map(\.connection) == [1, 1])
        }

        /// The reason for which libcurl closes the connection is known then.
        @Test
        func aStreamIsWholeThoughAnotherOneWasRefused() async throws {
            let server = try FrameServer(certificateIn: certificates.folder) { request in
                switch request.earlier {
                case 0: [.send(Frame.response)]
                case 1: [.send(Frame.fields(stream: request.stream))]
                case 2: [.send(Frame.reset(7, stream: request.stream) + Frame.data("end", stream: 3))]
                default: [.send(Frame.response)]
                }
            }
            let transport = try curl { $0.caFile = certificates.ca }
            _ = try await transport.get(server.url)
            async let first = transport.get(server.url).text
            while server.requests.count < 2 { await Task.yield() }
            #expect(try await transport.get(server.url).httpStatus == 200)
            #expect(try await first == "end")
        }
    }

    /// Before 7.88, libcurl says nothing of GOAWAY.
    private let isEndKnown = CurlTransport.libraryVersion?.compare("7.88", options: .numeric) != .orderedAscending
#endif
