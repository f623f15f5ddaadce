#if compiler(>=6.1)
    import Foundation
    import SimpleNetworkingCore
    import SimpleNetworkingSupport
    import SimpleNetworkingTestCases
    import SimpleNetworkingTesting
    import Testing

    /// What fails a test by itself, and at which line.
    @Suite(.timeLimit(.minutes(5)))
    struct StubVerificationTests {
        private static let trait: StubVerification = .verifiesStubs

        private struct Found: Equatable {
            let line: Int?
            let text: String
        }

        /// Runs a test's body with the trait, and returns the issues.
        private func issues(_ body: @escaping @Sendable () async throws -> Void) async throws -> [Found] {
            let test = try #require(Test.current)
            let found = Locked<[Found]>([])
            try await withKnownIssue(isIntermittent: true) {
                try await Self.trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
            } matching: { issue in
                let text = issue.error.map { "\($0)" } ?? ""
                let first = text.prefix { $0 != "\n" }
                found.withLock { $0.append(Found(line: issue.sourceLocation?.line, text: String(first))) }
                return true
            }
            return found.withLock { $0 }
        }

        private static func send(_ path: String, over server: StubTransport) async {
            let api = SimpleNetworking(over: server)
            await api.get(path).ended()
        }

        @Test
        func unusedRuleFailsAtItsOwnLine() async throws {
            let line = #line + 3
            let found = try await issues {
                let server = StubTransport().on(.get, "/x", .status(204))
                    .on(.get, "/y", .status(204))
                await Self.send("/x", over: server)
            }
            #expect(found == [Found(line: line, text: "the rule GET /y was never used")])
        }

        @Test
        func requestWithoutARuleFailsAtTheLineOfItsStub() async throws {
            let line = #line + 2
            let found = try await issues {
                let server = StubTransport()
                server.on(.get, "/x", .status(204), times: .atLeast(0))
                await Self.send("/y", over: server)
            }
            #expect(found == [Found(line: line, text: "no rule matched GET https://api.example.com/y")])
        }

        @Test
        func failedCheckIsMarkedOnceAtItsLine() async throws {
            let line = #line + 3
            let found = try await issues {
                let server = StubTransport().on(.get, "/unused", .status(204))
                try server.expectRequest(.get, "/x")
            }
            #expect(found == [Found(line: line, text: "expected a request GET /x, but 0 came")])
        }

        @Test
        func errorOfTheTestItselfIsThrownOn() async throws {
            let found = try await issues {
                _ = StubTransport().on(.get, "/unused", .status(204))
                throw "the test's own".asError
            }
            #expect(found.map(\.text) == ["\("the test's own".asError)"])
        }

        @Test
        func verifiedStubsAndFallbacksFailNothingMore() async throws {
            let found = try await issues {
                let verified = StubTransport().on(.get, "/x", .status(204))
                #expect(throws: (any Error).self) { try verified.verify() }
                let fallback = StubTransport().on("*", .status(404)).on("/z", .status(204), times: .atLeast(0))
                await Self.send("/y", over: fallback)
            }
            #expect(found == [])
        }

        @Test
        func ruleAddedAfterVerifyIsVerifiedAtTheEnd() async throws {
            let line = #line + 4
            let found = try await issues {
                let server = StubTransport()
                try server.verify()
                server.on(.get, "/x", .status(204))
            }
            #expect(found.map(\.line) == [line])
        }
    }

    /// The trait on a suite, whose stored stub is its own.
    @Suite(.verifiesStubs, .timeLimit(.minutes(5)))
    struct VerifiedSuiteTests {
        private let server = StubTransport().on(.get, "/x", .status(204))

        @Test(arguments: [1, 2])
        func eachCaseHasItsOwnStub(number: Int) async throws {
            let api = SimpleNetworking(over: server)
            #expect(try await api.send(SimpleNetworking.get("/x")).httpStatus == 204)
            #expect(server.requests.count == 1)
        }
    }
#endif
