// The trait's protocol came with Swift 6.1.
#if canImport(Testing) && compiler(>=6.1)
    import SimpleNetworkingTesting
    import Testing

    /// Fails a test for rules of its stubs that were not used, and for requests that no rule matched.
    ///
    /// ```swift
    /// @Suite(.verifiesStubs)
    /// struct StoreTests {
    ///     private let server = StubTransport().on(.get, "/user", .json(#"{"name": "Ada"}"#))
    ///
    ///     @Test
    ///     func userIsLoaded() async throws {
    ///         let api = SimpleNetworking(host: "api.example.com") { $0.transport = server }
    ///         #expect(try await api.send(SimpleNetworking.get("/user")).json?["name"] as? String == "Ada")
    ///     }
    /// }
    /// ```
    ///
    /// It verifies each `StubTransport` that the test has made, as `verify()` does, unless the test calls that itself. An
    /// unused rule is an issue at the line of its `on(…)`, a request without a rule one at the line of the stub. A rule
    /// with `times: .atLeast(0)` may stay unused. What the kit's checks throw becomes an issue at the line of the check,
    /// and not at the start of the test. Stubs that detached tasks make, and those in static variables, are not its own.
    public struct StubVerification: SuiteTrait, TestTrait, TestScoping {
        /// Applies to the suites within a suite, too.
        public var isRecursive: Bool { true }

        /// Runs a test, and verifies its stubs.
        public func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            let scope = StubScope()
            do {
                try await StubScope.$current.withValue(scope) { try await function() }
            } catch {
                record(scope.failures(afterEnd: false))
                guard let failure = error as? any PlacedFailure, failure.place != nil else { throw error }
                return record([failure])
            }
            record(scope.failures(afterEnd: true))
        }

        private func record(_ failures: [any PlacedFailure]) {
            for failure in failures {
                Issue.record(
                    StubIssue(description: failure.text),
                    sourceLocation: failure.place.map(location) ?? #_sourceLocation
                )
            }
        }

        private func location(of place: SourcePlace) -> SourceLocation {
            SourceLocation(
                fileID: "\(place.fileID)",
                filePath: "\(place.filePath)",
                line: Int(place.line),
                column: Int(place.column)
            )
        }
    }

    extension Trait where Self == StubVerification {
        /// Fails a test for rules of its stubs that were not used, and for requests that no rule matched.
        public static var verifiesStubs: StubVerification { StubVerification() }
    }

    /// Says what is wrong, where the issue itself has the line.
    private struct StubIssue: Error, CustomStringConvertible {
        let description: String
    }
#endif
