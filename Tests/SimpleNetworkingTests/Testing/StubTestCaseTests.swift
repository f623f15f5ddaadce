#if canImport(XCTest) && os(Linux)
    import Foundation
    import SimpleNetworking
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
                let api = SimpleNetworking(host: "api.example.com") { ($0.transport, $0.logger) = (server, .quiet) }
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

        private func failures(of body: @escaping (Sample) throws -> Void) -> [String] {
            let observer = Observer()
            XCTestObservationCenter.shared.addTestObserver(observer)
            defer { XCTestObservationCenter.shared.removeTestObserver(observer) }
            let test = Sample(name: "sample") { test in
                if let test = test as? Sample { try body(test) }
            }
            test.run()
            return observer.failures
        }

        @Test
        func unusedRuleFailsAtItsOwnLine() {
            let line = #line + 2
            let found = failures { test in
                test.server.on(.get, "/x", .status(204))
            }
            #expect(found == ["here:\(line): failed - the rule GET /x was never used"])
        }

        @Test
        func failedCheckIsMarkedOnceAtItsLine() {
            let line = #line + 3
            let found = failures { test in
                test.server.on(.get, "/unused", .status(204))
                try test.server.expectRequest(.get, "/x")
            }
            #expect(found == ["here:\(line): expected a request GET /x, but 0 came"])
        }

        @Test
        func requestWithoutARuleFailsAtTheFirstRule() {
            let line = #line + 2
            let found = failures { test in
                test.server.on(.get, "/x", .status(204), times: .atLeast(0))
                test.send("/y")
            }
            #expect(found == ["here:\(line): failed - no rule matched GET https://api.example.com/y"])
        }

        @Test
        func requestWithoutAnyRuleFailsAtNoLine() {
            let found = failures { test in test.send("/y") }
            #expect(found == ["<EXPR>:0: no rule matched GET https://api.example.com/y"])
        }

        @Test
        func usedStubFailsNothing() {
            let found = failures { test in
                test.server.on(.get, "/x", .status(204))
                test.send("/x")
            }
            #expect(found == [])
        }
    }
#endif
