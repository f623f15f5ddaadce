#if canImport(XCTest) && os(Linux)
    import Foundation
    import SimpleNetworkingCore
    import SimpleNetworkingTestCases
    import SimpleNetworkingTesting
    import Testing
    import XCTest

    /// The base class for XCTest: what fails a test by itself, and at which line.
    @Suite(.timeLimit(.minutes(5)), .serialized)
    struct StubTestCaseTests {
        private final class Sample: StubTestCase {
            /// No test that the runner finds; an instance gets its method by the initializer.
            func send(_ path: String) {
                let api = SimpleNetworking(over: server)
                let isDone = DispatchSemaphore(value: 0)
                api.get(path).on(completion: { _ in isDone.signal() })
                isDone.wait()
            }
        }

        private final class Observer: NSObject, XCTestObservation {
            private(set) var failures: [String] = []

            func testCase(
                _ testCase: XCTestCase,
                didFailWithDescription description: String,
                inFile filePath: String?,
                atLine lineNumber: Int
            ) {
                let first = description.prefix { $0 != "\n" }
                failures.append("\(filePath == #filePath ? "here" : filePath ?? "nowhere"):\(lineNumber): \(first)")
            }
        }

        /// On a thread of its own, as XCTest's: a test of it may block, which Swift's threads must not.
        private func failures(of body: @escaping @Sendable (Sample) throws -> Void) async -> [String] {
            await withCheckedContinuation { isOver in
                Thread.detachNewThread {
                    let observer = Observer()
                    XCTestObservationCenter.shared.addTestObserver(observer)
                    let test = Sample(name: "sample") { test in
                        if let test = test as? Sample { try body(test) }
                    }
                    test.run()
                    XCTestObservationCenter.shared.removeTestObserver(observer)
                    isOver.resume(returning: observer.failures)
                }
            }
        }

        @Test
        func unusedRuleFailsAtItsOwnLine() async {
            let line = #line + 2
            let found = await failures { test in
                test.server.on(.get, "/x", .status(204))
            }
            #expect(found == ["here:\(line): failed - the rule GET /x was never used"])
        }

        @Test
        func failedCheckIsMarkedOnceAtItsLine() async {
            let line = #line + 3
            let found = await failures { test in
                test.server.on(.get, "/unused", .status(204))
                try test.server.expectRequest(.get, "/x")
            }
            #expect(found == ["here:\(line): expected a request GET /x, but 0 came"])
        }

        @Test
        func requestWithoutARuleFailsAtTheFirstRule() async {
            let line = #line + 2
            let found = await failures { test in
                test.server.on(.get, "/x", .status(204), times: .atLeast(0))
                test.send("/y")
            }
            #expect(found == ["here:\(line): failed - no rule matched GET https://api.example.com/y"])
        }

        @Test
        func requestWithoutAnyRuleFailsAtNoLine() async {
            let found = await failures { test in test.send("/y") }
            #expect(found == ["<EXPR>:0: no rule matched GET https://api.example.com/y"])
        }

        @Test
        func usedStubFailsNothing() async {
            let found = await failures { test in
                test.server.on(.get, "/x", .status(204))
                test.send("/x")
            }
            #expect(found == [])
        }
    }
#endif
