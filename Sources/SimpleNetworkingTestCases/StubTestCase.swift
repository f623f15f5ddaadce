#if canImport(XCTest)
    import SimpleNetworkingTesting
    import XCTest

    /// Gives each XCTest test a stub, and fails the test for unused rules and unmatched requests.
    ///
    /// ```swift
    /// final class StoreTestCase: StubTestCase {
    ///     func testUserIsLoaded() async throws {
    ///         server.on(.get, "/user", .json(#"{"name": "Ada"}"#))
    ///         let api = SimpleNetworking(host: "api.example.com") { [server] in $0.transport = server }
    ///         let user = try await api.send(SimpleNetworking.get("/user"))
    ///         XCTAssertEqual(user.json?["name"] as? String, "Ada")
    ///     }
    /// }
    /// ```
    ///
    /// An unused rule fails the test at the line of its `on(…)`. A request without a matching rule fails the test at
    /// the line of the first rule. A rule with `times: .atLeast(0)` may stay unused. If one of the kit's checks throws
    /// an error, the test fails at the line of the check. Other stubs that a test creates in its method or in `setUp`
    /// are verified, too.
    open class StubTestCase: XCTestCase {
        /// The stub for the running test, which is created before the test's `setUp`.
        public private(set) var server = StubTransport()

        private var scope = StubScope()
        private var hasThrown = false

        /// Runs the test, and verifies its stubs.
        open override func invokeTest() {
            let scope = StubScope()
            self.scope = scope
            hasThrown = false
            StubScope.$current.withValue(scope) {
                server = scope.makeStub()
                super.invokeTest()
            }
            for failure in scope.failures(afterEnd: !hasThrown) { fail(failure) }
        }

        private func fail(_ failure: any PlacedFailure) {
            guard let place = failure.place else { return failAnywhere(failure.text) }
            XCTFail(failure.text, file: place.filePath, line: place.line)
        }

        /// Fails at no line: that of the call would be one of this file.
        private func failAnywhere(_ text: String) {
            #if canImport(Darwin)
                super.record(XCTIssue(type: .assertionFailure, compactDescription: text))
            #else
                super.recordFailure(withDescription: text, inFile: "<EXPR>", atLine: 0, expected: true)
            #endif
        }

        #if canImport(Darwin)
            /// Records an issue, and attributes an error that the kit threw to the line of the check.
            open override func record(_ issue: XCTIssue) {
                hasThrown = hasThrown || issue.associatedError != nil
                guard let failure = issue.associatedError as? any PlacedFailure, let place = failure.place else {
                    return super.record(issue)
                }
                let location = XCTSourceCodeLocation(filePath: "\(place.filePath)", lineNumber: Int(place.line))
                super.record(
                    XCTIssue(
                        type: issue.type,
                        compactDescription: failure.text,
                        detailedDescription: issue.detailedDescription,
                        sourceCodeContext: XCTSourceCodeContext(location: location),
                        associatedError: issue.associatedError,
                        attachments: issue.attachments
                    )
                )
            }
        #else
            /// Records a failure, and attributes an error that the kit threw to the line of the check.
            open override func recordFailure(
                withDescription description: String,
                inFile filePath: String,
                atLine lineNumber: Int,
                expected: Bool
            ) {
                // A failed assertion has a line, and lets the test go on.
                hasThrown = hasThrown || !expected
                guard !expected, let failure = scope.failure(described: description), let place = failure.place else {
                    return super.recordFailure(
                        withDescription: description,
                        inFile: filePath,
                        atLine: lineNumber,
                        expected: expected
                    )
                }
                super.recordFailure(
                    withDescription: failure.text,
                    inFile: "\(place.filePath)",
                    atLine: Int(place.line),
                    expected: true
                )
            }
        #endif
    }
#endif
