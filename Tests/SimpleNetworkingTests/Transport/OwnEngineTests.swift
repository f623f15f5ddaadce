#if compiler(>=6.2) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import SimpleNetworkingTestSupport
    import SimpleNetworkingTesting
    import Testing
    @testable import SimpleNetworkingCore

    /// What the client uses of an engine, shown by one that is not in the package.
    @Suite(.timeLimit(.minutes(5)))
    struct OwnEngineTests {
        /// Runs jobs one after the other on a thread of its own.
        private final class OneThread: TaskExecutor {
            private let jobs = Locked<[UnownedJob]>([])
            private let hasMore = DispatchSemaphore(value: 0)
            private let thread = Locked<Thread?>(nil)

            init() {
                Thread.detachNewThread { [jobs, hasMore, thread, weak self] in
                    thread.withLock { $0 = Thread.current }
                    while true {
                        hasMore.wait()
                        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
                        if let self { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
                    }
                }
            }

            deinit { hasMore.signal() }

            var isCurrent: Bool { thread.withLock { $0 === Thread.current } }

            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                jobs.withLock { $0.append(job) }
                hasMore.signal()
            }
        }

        /// Responds from memory, from its thread.
        private struct MemoryEngine: EngineTransport {
            let traits: EngineTraits
            let gate: Gate

            func send(_ request: TransportRequest) async throws -> TransportResponse {
                try await gate.wait()
                let headers: HTTPHeaders = ["X-Seen": request.headers["Authorization"] ?? "none"]
                return TransportResponse(httpStatus: 200, headers: headers, data: Data("{}".utf8))
            }
        }

        /// Runs jobs within the call that makes them ready.
        private final class NoThread: TaskExecutor {
            func enqueue(_ job: consuming ExecutorJob) {
                UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
            }
        }

        /// Responds before the call that begins the request has returned.
        private struct PromptEngine: EngineTransport {
            let traits = EngineTraits(executor: NoThread())
            let enforcesTimeouts = true

            func send(_ request: TransportRequest) async throws -> TransportResponse {
                TransportResponse(httpStatus: 200, data: Data("{}".utf8))
            }
        }

        /// Tells whether a task decoded it, and not a thread that was woken for that.
        private struct Decoded: Decodable {
            let isByTask: Bool

            init(from decoder: any Decoder) { isByTask = withUnsafeCurrentTask { $0 != nil } }
        }

        /// The first response waits for it: the call that began the request has returned then.
        private let gate = Gate()

        @Test(arguments: [true, false])
        func handlersRunOnTheEnginesThreadIfItLendsIt(lends: Bool) async {
            let thread = OneThread()
            let client = SimpleNetworking(
                over: MemoryEngine(
                    traits: EngineTraits(executor: thread, mayRunHandlers: { lends && thread.isCurrent }),
                    gate: gate
                )
            )
            let places = Recorder<Bool>()
            let request = SimpleNetworking.get("/x")
                .on(isolation: nil, httpStatus: 200) { _, _ in
                    places.add(thread.isCurrent)
                    return true
                }
                .on(isolation: nil, success: { _ in places.add(thread.isCurrent) })
            request.execute(on: client)
            gate.open()
            await request.ended()
            #expect(places.elements == [lends, lends])
        }

        @Test
        func theAwaitingTaskDecodesAValueThatIsThereBeforeItWaits() async throws {
            let client = SimpleNetworking(over: PromptEngine())
            #expect(try await client.send(Request<Decoded>(path: "/x")).value.isByTask)
        }

        @Test
        func anotherOriginGetsAnEmptyFieldForAPrivateOneThatTheEngineAdds() async throws {
            gate.open()
            let client = SimpleNetworking(
                over: MemoryEngine(traits: EngineTraits(addedHeaders: ["Authorization": "secret"]), gate: gate)
            )
            #expect(try await client.get("https://elsewhere.example/x").ended().get().headers["X-Seen"] == "")
            #expect(try await client.get("/x").ended().get().headers["X-Seen"] == "secret")
        }

        @Test
        func ownTransportWithoutTraitsIsNoEngine() {
            struct Plain: Transport {
                func send(_ request: TransportRequest) async throws -> TransportResponse {
                    TransportResponse(httpStatus: 204)
                }
            }
            let client = SimpleNetworking(over: Plain())
            #expect(!client.settings.session.engine.isOwn)
            #expect(client.settings.session.engine.asksForTrust)
        }
    }
#endif
