import Foundation
import Testing

/// Each two features of a request's way that share a fact or a moment are held together by a test.
///
/// `Tests/Pairs/pairs.txt` says by which; CONTRIBUTING says how a feature is added.
@Suite
struct PairTests {
    private static let folder = SourceFile.package.appendingPathComponent("Tests")

    /// The tests of the suites that a table names.
    private static func tests(of suites: Set<String>) throws -> [String: TestFile.Test] {
        var tests: [String: TestFile.Test] = [:]
        for folder in try Manifest.testTargets() {
            let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            for path in paths where path.hasSuffix(".swift") {
                let file = folder.appendingPathComponent(path)
                // A suite is in the file of its name.
                guard suites.contains(file.deletingPathExtension().lastPathComponent) else { continue }
                let text = try String(contentsOf: file, encoding: .utf8)
                tests.merge(TestFile(text).tests) { first, _ in first }
            }
        }
        return tests
    }

    @Test
    func eachPairOfFeaturesHasATestOrAReason() throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent("Pairs/pairs.txt"), encoding: .utf8)
        let table = PairTable(text)
        #expect(table.features.count >= 27)
        #expect(try table.problems(with: Self.tests(of: table.suites)) == [])
    }

    // MARK: The table itself

    private static let source = """
        import Testing

        /// Says suspend() and `.jar` only in a comment.
        @Suite(.timeLimit(.minutes(1)))
        struct XTests {
            enum Way { case cache, queue }

            private let jar = CookieJar()

            private func client() -> Client { Client(jar) }

            @Test
            func direct() {
                // suspend()
                request.suspend()
                client()
            }

            @Test(
                arguments: [
                    .cache, .queue,
                ] as [Way]
            )
            func table(way: Way) {
                request.suspend()
            }
        }
        """

    private static let features = """
        [features]
        cookies = CookieJar
        suspension = suspend()
        cache = ResponseCache( | .cache
        queue = inFlight | .queue

        """

    private static let pairs = """
        [apart]
        They are never there at the same time.
        cookies × queue
        cache × queue
        [together]
        cookies × suspension = XTests.direct
        cache × suspension = XTests.table
        suspension × queue = XTests.table
        cookies × cache = XTests.direct

        """

    private func problems(_ change: (String) -> String = { $0 }) -> [String] {
        PairTable(Self.features + change(Self.pairs)).problems(with: TestFile(Self.source).tests)
    }

    @Test
    func theTestsOfAFileAreReadWithTheHelpersTheyUse() throws {
        let tests = TestFile(Self.source).tests
        #expect(tests.keys.sorted() == ["XTests.direct", "XTests.table"])
        #expect(try #require(tests["XTests.direct"]).text.contains("CookieJar()"))
        #expect(try #require(tests["XTests.table"]).text.contains("CookieJar()") == false)
        #expect(try #require(tests["XTests.table"]).arguments.contains(".queue"))
    }

    @Test
    func aTestThatDoesNotShowAFeatureIsNamed() {
        #expect(problems() == ["cookies × cache: XTests.direct doesn't show cache"])
    }

    @Test
    func twoArgumentsOfATestDoNotMeet() {
        let problems = problems {
            $0.replacingOccurrences(of: "cookies × cache = XTests.direct", with: "cookies × cache = XTests.table")
                .replacingOccurrences(of: "cache × queue\n", with: "") + "cache × queue = XTests.table\n"
        }
        #expect(
            problems == [
                "cookies × cache: XTests.table doesn't show cookies",
                "cache × queue: XTests.table doesn't show cache and queue in one case",
            ]
        )
    }

    @Test(arguments: [
        ("cookies × queue\n", "", "cookies × queue is there 0 times"),
        ("cookies × queue\n", "cookies × queue\nqueue × cookies\n", "cookies × queue is there 2 times"),
        ("cookies × queue\n", "cookies × line\n", "cookies × line: no two features of the list"),
        ("cookies × queue\n", "cookies × cookies\n", "cookies × cookies: no two features of the list"),
        ("cookies × queue\n", "cookies × queue = XTests.direct\n", "can't be read: cookies × queue = XTests.direct"),
        ("They are never there at the same time.\n", "", "can't be read: cache × queue"),
        ("XTests.table", "XTests.tables", "cache × suspension: there is no test XTests.tables"),
        ("XTests.table", "YTests.table", "suspension × queue: there is no test YTests.table"),
    ])
    func aWrongLineIsNamed(old: String, new: String, problem: String) {
        #expect(problems { $0.replacingOccurrences(of: old, with: new) }.contains(problem))
    }
}
