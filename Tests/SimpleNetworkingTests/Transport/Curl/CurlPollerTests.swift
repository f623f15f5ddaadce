#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import SimpleNetworkingTesting
    import Testing
    @testable import SimpleNetworkingCore

    /// User code runs on the thread that receives responses, and may block it.
    ///
    /// One test after another, since they take many threads.
    @Suite("CurlTransport, user code that blocks", .serialized, .timeLimit(.minutes(5)))
    struct CurlPollerTests {
        private let server: RawServer
        private let transport: CurlTransport

        init() throws {
            server = try RawServer { .response(body: $0.path) }
            transport = try curl()
        }

        private func client(_ middleware: [any Middleware] = []) -> SimpleNetworking {
            SimpleNetworking(of: server) { [transport] in
                $0.transport = transport
                $0.middleware = middleware
            }
        }

        private func expectProgress(of client: SimpleNetworking) async throws {
            for number in 0..<20 {
                #expect(try await client.send(SimpleNetworking.get("/awaited/\(number)")).httpStatus == 200)
                // The handlers of one client wait for each other, those of two do not.
                let other = self.client()
                let response = try await heard { tell in
                    other.get("/handled/\(number)") { $0.on(isolation: nil, success: { tell($0) }) }
                }
                #expect(response.text == "/handled/\(number)")
            }
        }

        @Test
        func aHandlerThatBlocksDelaysNoOtherRequest() async throws {
            let (isRunning, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
            let client = client()
            let request = client.get("/") {
                $0.on(
                    isolation: nil,
                    success: { _ in
                        isRunning.open()
                        mayEnd.wait()
                    }
                )
            }
            try await isRunning.wait()
            try await expectProgress(of: client)
            mayEnd.signal()
            #expect(await request.ended().value?.httpStatus == 200)
        }

        @Test
        func middlewareThatYieldsForeverDelaysNoOtherRequest() async throws {
            struct Yielding: Middleware {
                let isRunning = Gate()
                let mayEnd = Locked(false)

                func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
                    let response = try await next(request)
                    guard request.url.path == "/yielding" else { return response }
                    isRunning.open()
                    while !mayEnd.withLock({ $0 }) { await Task.yield() }
                    return response
                }
            }
            let middleware = Yielding()
            let client = client([middleware])
            let request = client.get("/yielding")
            try await middleware.isRunning.wait()
            try await expectProgress(of: client)
            middleware.mayEnd.exchange(true)
            #expect(await request.ended().value?.httpStatus == 200)
        }

        @Test
        func middlewareThatBlocksDelaysNoOtherRequest() async throws {
            struct Blocking: Middleware {
                let isRunning: Gate
                let mayEnd: DispatchSemaphore

                func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
                    let response = try await next(request)
                    if request.url.path == "/blocking" { block() }
                    return response
                }

                private func block() {
                    isRunning.open()
                    mayEnd.wait()
                }
            }
            let middleware = Blocking(isRunning: Gate(), mayEnd: DispatchSemaphore(value: 0))
            let client = client([middleware])
            // On a thread of its own: where the response is there at once, the thread that made the request goes on with it,
            // and a blocked one of Swift's pool, which has two here, would delay the other tests.
            let made = Locked<SimpleRequest?>(nil)
            Thread.detachNewThread {
                let request = client.get("/blocking")
                made.withLock { $0 = request }
            }
            try await middleware.isRunning.wait()
            try await expectProgress(of: client)
            middleware.mayEnd.signal()
            try await eventually { made.withLock { $0 != nil } }
            #expect(await made.withLock { $0 }?.ended().value?.httpStatus == 200)
        }

        /// More than the engine may have threads.
        @Test
        func aHundredHandlersThatBlockDelayNoOtherRequest() async throws {
            let (running, mayEnd) = (Locked(0), DispatchSemaphore(value: 0))
            let requests = (0..<100).map { number in
                client().get("/\(number)") {
                    $0.on(
                        isolation: nil,
                        success: { _ in
                            running.withLock { $0 += 1 }
                            mayEnd.wait()
                        }
                    )
                }
            }
            // Dispatch limits its threads, so that not all of them need to run.
            try await eventually { running.withLock { $0 } >= 60 }
            #expect(try await transport.get(server.url("/bare")).httpStatus == 200)
            for _ in requests { mayEnd.signal() }
            for request in requests { #expect(await request.ended().value?.httpStatus == 200) }
        }

        @Test
        func handlersRunOnTheClientsOwnQueueOneAtATime() async throws {
            let client = client()
            let (inside, most) = (Locked(0), Locked(0))
            let requests = (0..<200).map { number in
                client.get("/\(number)") {
                    $0.on(
                        isolation: nil,
                        success: { _ in
                            dispatchPrecondition(condition: .onQueue(client.configuration.callbackQueue))
                            let now = inside.withLock { count in
                                count += 1
                                return count
                            }
                            most.withLock { $0 = max($0, now) }
                            inside.withLock { $0 -= 1 }
                        }
                    )
                }
            }
            for request in requests { #expect(await request.ended().value?.httpStatus == 200) }
            #expect(most.withLock { $0 } == 1)
        }

        @Test
        func requestsMadeByAHandlerAreSentWhileItRuns() async throws {
            let client = client()
            let (isSent, hasArrived) = (Gate(), DispatchSemaphore(value: 0))
            let waiting = Task { [server] in
                try await isSent.wait()
                await server.wait { $0.requests.contains { $0.path == "/second" } }
                hasArrived.signal()
            }
            let request = client.get("/first") {
                $0.on(
                    isolation: nil,
                    success: { _ in
                        client.get("/second")
                        isSent.open()
                        hasArrived.wait()
                    }
                )
            }
            #expect(await request.ended().value?.httpStatus == 200)
            try await waiting.value
        }
    }
#endif
