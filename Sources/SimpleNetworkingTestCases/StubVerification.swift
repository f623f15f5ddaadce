// The trait's protocol came with Swift 6.1.
#if canImport(Testing) && compiler(>=6.1)
    import SimpleNetworkingTesting
    import Testing

    /// Fails a test if a rule of its stubs was not used, or if no rule matched a request.
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
    /// The trait verifies each `StubTransport` that the test creates, as `verify()` does, unless the test calls
    /// `verify()` itself. An unused rule is reported as an issue at the line of its `on(…)`. A request without a
    /// matching rule is reported at the line of the stub. A rule with `times: .atLeast(0)` may stay unused. If one of
    /// the kit's checks throws an error, the issue is reported at the line of the check instead of the start of the
    /// test. Stubs that are created in detached tasks or stored in static variables don't belong to the test.
    public struct StubVerification: SuiteTrait, TestTrait, TestScoping {
        /// Always true, because the trait also applies to nested suites.
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
        /// A trait that fails a test if a rule of its stubs was not used, or if no rule matched a request.
        public static var verifiesStubs: StubVerification { StubVerification() }
    }

    /// Says what is wrong, where the issue itself has the line.
    private struct StubIssue: Error, CustomStringConvertible {
        let description: String
    }
#endif
