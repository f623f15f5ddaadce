#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import Testing

    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, content to send", .timeLimit(.minutes(5)))
    struct CurlUploadTests {
        @Test
        func aStreamMayWaitWithoutKeepingOthersWaiting() async throws {
            let server = try RawServer { .mirror($0) }
            let latch = DispatchSemaphore(value: 0)
            let transport = try curl()
            let body = RequestBody.stream(length: nil) {
                latch.wait()
                return InputStream(data: Data("late".utf8))
            }
            async let slow = transport.get(server.url(), method: .post, body: body)
            for _ in 0..<10 { _ = try await transport.get(server.url()) }
            latch.signal()
            #expect(try await slow.text == "late")
        }

        @Test
        func aBlockedStreamDoesNotKeepACancellationWaiting() async throws {
            let server = try RawServer { .mirror($0) }
            let latch = DispatchSemaphore(value: 0)
            let transport = try curl()
            let body = RequestBody.stream(length: nil) {
                latch.wait()
                return InputStream(data: Data())
            }
            let task = Task { try await transport.get(server.url(), method: .post, body: body) }
            await server.wait { $0.requests.isEmpty }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            latch.signal()
        }

        private struct Weak: Sendable {
            private final class Reference { weak var stream: InputStream? }

            private let reference = Locked(Reference())

            func keep(_ stream: InputStream) { reference.withLock { $0.stream = stream } }
            var isReleased: Bool { reference.withLock { $0.stream == nil } }
        }

        @Test
        func theStreamOfAnUploadIsReleasedAfterIt() async throws {
            let server = try RawServer { .mirror($0) }
            let transport = try curl()
            let kept = Weak()
            let body = RequestBody.stream(length: 5) {
                let stream = InputStream(data: Data("hello".utf8))
                kept.keep(stream)
                return stream
            }
            #expect(try await transport.get(server.url(), method: .post, body: body).text == "hello")
            try await eventually { kept.isReleased }
        }

        static let unreadable: [(String, RequestBody)] = [
            ("device", .file(URL(fileURLWithPath: "/dev/zero"))),
            ("stream of a missing file", .stream(length: nil, make: { InputStream(fileAtPath: "/does/not/exist") })),
            ("stream shorter than it says", .stream(length: 5, make: { InputStream(data: Data("abc".utf8)) })),
        ]

        @Test(arguments: unreadable.indices)
        func contentThatCannotBeReadIsAnError(index: Int) async throws {
            let server = try RawServer { .mirror($0) }
            let (name, body) = Self.unreadable[index]
            let transport = try curl()
            let end = await transport.end(of: server.url()) {
                $0.method = .put
                $0.body = body
            }
            #expect(end == NetworkFailure.Kind.unreadableBody.rawValue, "\(name)")
            #expect(try await transport.get(server.url()).httpStatus == 200)
        }

        @Test(arguments: ["data", "file", "stream"])
        func contentIsSentAgainWhenAKeptConnectionWasClosed(kind: String) async throws {
            let server = try RawServer { .closedIfReused($0, else: .mirror($0)) }
            let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
            let file = try ScratchFile(data)
            let made = Locked(0)
            let bodies: [String: RequestBody] = [
                "data": .data(data), "file": .file(file.url),
                "stream": .stream(length: data.count) {
                    made.withLock { $0 += 1 }
                    return InputStream(data: data)
                },
            ]
            let body = try #require(bodies[kind])
            let transport = try curl()
            for _ in 0..<4 {
                let response = try await transport.get(server.url(), method: .put, body: body)
                #expect(response.data == data)
            }
            if kind == "stream" { #expect(made.withLock { $0 } == 4 + 3) }
        }
    }
#endif
