import Testing

@testable import Tour

@Suite(.timeLimit(.minutes(1)))
struct TourTests {
    @Test
    func aSceneWithOtherLinesIsShownBesideTheExpectedOnes() async throws {
        let paper = Paper()
        let reports = try await Tour(
            scenes: [
                Play(expected: ["a", "c"]) {
                    $0.show("a"); $0.show("b")
                }
            ],
            screen: paper.screen()
        ).play()
        #expect(reports.map(\.isAsExpected) == [false])
        #expect(paper.text.contains("NOT AS EXPECTED\n    said:     b\n    expected: c\n"))
        #expect(paper.lines.last?.hasPrefix("1 scene, 0 as expected, ") == true)
    }

    @Test
    func aSceneThatNeverEndsFails() async throws {
        let paper = Paper()
        let endless = Play(expected: []) { _ in
            let (never, _) = AsyncStream<Void>.makeStream()
            for await _ in never {}
        }
        let reports = try await Tour(scenes: [endless], limit: .milliseconds(20), screen: paper.screen()).play()
        #expect(reports.first?.problems == ["It did not end within 0.02 seconds."])
    }

    @Test
    func aSceneThatThrowsFails() async throws {
        let paper = Paper()
        let reports = try await Tour(
            scenes: [Play(expected: []) { _ in throw CancellationError() }],
            screen: paper.screen()
        ).play()
        #expect(reports.first?.problems == ["It could not be played: CancellationError()"])
        #expect(reports.first?.isAsExpected == false)
    }

    @Test(arguments: [
        ("abc", "abc", true), ("abc", "abd", false), ("abc", "a…", true), ("abc", "…c", true), ("abc", "a…c", true),
        ("abc", "a…d", false), ("abcbd", "a…b…d", true), ("ab", "ab…b", false), ("", "…", true),
    ])
    func anEllipsisStandsForAnyText(said: String, pattern: String, matches: Bool) {
        let report = SceneReport(title: "", said: [said], expected: [pattern], failure: nil)
        #expect(report.isAsExpected == matches)
    }

    @Test
    func coloursAreForTerminalsOnly() async throws {
        let plain = Paper()
        let colored = Paper()
        let scene = Play(expected: ["a"]) { $0.show("a") }
        _ = try await Tour(scenes: [scene], screen: plain.screen()).play()
        _ = try await Tour(scenes: [scene], screen: colored.screen(style: Style(isColored: true))).play()
        #expect(!plain.text.contains("\u{1B}"))
        #expect(colored.text.contains("\u{1B}[32mas expected\u{1B}[0m"))
    }

    @Test(arguments: [
        (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": ""], true),
        (["TERM": "xterm", "NO_COLOR": "1"], false),
        (["TERM": "dumb"], false), ([:], false),
    ])
    func coloursCanBeTurnedOff(environment: [String: String], allows: Bool) {
        #expect(Style.allowsColor(environment) == allows)
    }

    @Test
    func longTextsAreWrappedBetweenWords() {
        #expect("one two three".wrapped(to: 7) == ["one two", "three"])
        #expect("a-very-long-word b".wrapped(to: 5) == ["a-very-long-word", "b"])
        #expect("".wrapped(to: 5) == [""])
        #expect("a  b".wrapped(to: 9) == ["a  b"])
    }
}
