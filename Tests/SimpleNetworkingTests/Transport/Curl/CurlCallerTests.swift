#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingTesting
    import Testing
    @testable import SimpleNetworkingCore

    /// What belongs to callers may block, and then delays nobody else.
    @Suite("CurlTransport, callers' code in content to send", .serialized, .timeLimit(.minutes(5)))
    struct CurlCallerTests {
        /// Gives nothing until it is cancelled; its cancellation handler blocks.
        private struct Blocking: AsyncSequence, Sendable {
            let isAwaited: Gate
            let mayEnd: DispatchSemaphore

            func makeAsyncIterator() -> Iterator { Iterator(source: self) }

            struct Iterator: AsyncIteratorProtocol {
                let source: Blocking

                mutating func next() async throws -> Data? {
                    let (stream, continuation) = AsyncStream<Void>.makeStream()
                    await withTaskCancellationHandler {
                        source.isAwaited.open()
                        for await _ in stream {}
                    } onCancel: { [source] in
                        source.mayEnd.wait()
                        continuation.finish()
                    }
                    throw CancellationError()
                }
            }
        }

        /// The engine starts content over in a turn, for which all its requests wait.
        @Test
        func startingOverDoesNotWaitForACancellationHandler() async throws {
            let blocking = Blocking(isAwaited: Gate(), mayEnd: DispatchSemaphore(value: 0))
            let transport = try curl()
            let engine = try #require(transport.engine)
            let transfer = try #require(CurlTransfer(engine: engine))
            let source = CurlChunkSource(transfer: transfer, chunks: BodyChunks { blocking })
            source.pull()
            try await blocking.isAwaited.wait()
            let hasReturned = Gate()
            Thread.detachNewThread {
                source.rewind()
                hasReturned.open()
            }
            try await withinSeconds(120) { try await hasReturned.wait() }
            blocking.mayEnd.signal()
            source.close()
            transfer.release()
            withExtendedLifetime(transport) {}
        }

        @Test
        func contentWhoseReleaseBlocksDelaysNoOtherRequest() async throws {
            let server = try RawServer { $0.path == "/silent" ? .silence : .response(body: $0.path) }
            let transport = try curl()
            let mayEnd = DispatchSemaphore(value: 0)
            for number in 1...10 {
                let task = Task {
                    try await transport.get(server.url("/silent"), method: .post, body: held(by: mayEnd))
                }
                await server.wait { $0.requests.count { $0.path == "/silent" } == number }
                task.cancel()
                let text = try await withinSeconds(120) { try await transport.get(server.url("/other")).text }
                #expect(text == "/other")
                mayEnd.signal()
                _ = await task.result
            }
        }

        /// Too much to be copied.
        private func held(by latch: DispatchSemaphore) -> RequestBody {
            let count = 200_000
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
            bytes.initializeMemory(as: UInt8.self, repeating: 7, count: count)
            let deallocator = Data.Deallocator.custom { bytes, _ in
                latch.wait()
                bytes.deallocate()
            }
            return .data(Data(bytesNoCopy: bytes, count: count, deallocator: deallocator))
        }
    }
#endif
