import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

@Suite(.timeLimit(.minutes(5)))
struct EventStreamParserTests {
    /// The examples of the HTML standard, section *Server-sent events*.
    private static let examples: [(String, [ServerSentEvent])] = [
        (
            "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n"
                + "data: This is the third message.\n\n",
            [
                .init(data: "This is the first message."),
                .init(data: "This is the second message, it\nhas two lines."),
                .init(data: "This is the third message."),
            ]
        ),
        (
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
            [
                .init(event: "add", data: "73857293"), .init(event: "remove", data: "2153"),
                .init(event: "add", data: "113411"),
            ]
        ),
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [.init(data: "YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [.init(data: "first event", id: "1"), .init(data: "second event"), .init(data: " third event")]
        ),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
            [.init(data: "first event", id: "1"), .init(data: "second event")]
        ),
        ("data\n\ndata\ndata\n\ndata:", [.init(data: ""), .init(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [.init(data: "test"), .init(data: "test")]),
    ]

    @Test(arguments: examples)
    func theExamplesOfTheStandardAreReadAsItSays(stream: String, events: [ServerSentEvent]) {
        for chunks in Data(stream.utf8).everyCut { #expect(Events(of: chunks).found == events) }
    }

    private static let cases: [(String, [ServerSentEvent])] = [
        ("", []),
        ("\n\n\n", []),
        ("data:a", []),
        ("data:a\n", []),
        ("data:a\r\n\r\n", [.init(data: "a")]),
        ("data:a\r\r", [.init(data: "a")]),
        ("data:a\r\ndata\ndata:b\r\n\r", [.init(data: "a\n\nb")]),
        ("data:\ta\rdata: \ndata:b\n\n", [.init(data: "\ta\n\nb")]),
        // Marks but for the first are part of a field's name.
        ("\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n", [.init(data: "1"), .init(data: "3")]),
        ("\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\n", [.init(data: "2")]),
        ("data:1\r:\0\n:\r\ndata:2\n:long\rdata:3\n:data:no\r:x\ndata:4\n\n", [.init(data: "1\n2\n3\n4")]),
        ("data:a\n data\ndata\nfoobar:xxx\njustsometext\n:comment\ndata:b\n\n", [.init(data: "a\n\nb")]),
        (
            "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\n"
                + "data:4\n\n",
            [.init(data: "\0\n 2\n1\n3\n\n4")]
        ),
        ("data:a:b: c\n\n", [.init(data: "a:b: c")]),
        ("event: add \ndata:a\n\ndata:b\n\n", [.init(event: "add ", data: "a"), .init(data: "b")]),
        ("event: add\nevent:\ndata:a\n\n", [.init(data: "a")]),
        ("event: add\n\ndata:a\n\n", [.init(data: "a")]),
        ("events: add\ndata:a\n\n", [.init(data: "a")]),
        ("id: 1\n\ndata:a\n\nid:2\ndata:b\n\n", [.init(data: "a", id: "1"), .init(data: "b", id: "2")]),
        ("id:1\nid:a\0b\ndata:a\n\n", [.init(data: "a", id: "1")]),
        ("id:1\ndata:a\nid:\n\n", [.init(data: "a")]),
        ("id: ä😀\ndata:a\n\n", [.init(data: "a", id: "ä😀")]),
        ("retry: 1500\n\ndata:a\n\ndata:b\n\n", [.init(data: "a", retry: 1.5), .init(data: "b", retry: 1.5)]),
        ("retry:0\ndata:a\n\n", [.init(data: "a", retry: 0)]),
        (
            "retry:5\nretry\nretry:\nretry: -1\nretry:+1\nretry:1s\nretry:1.5\nretry:  7\nretry:٣\ndata:a\n\n",
            [.init(data: "a", retry: 0.005)]
        ),
        ("retry:99999999999999999999999\ndata:a\n\n", [.init(data: "a", retry: 2_147_483_648)]),
        ("data:äöü\ndata:€😀\n\n", [.init(data: "äöü\n€😀")]),
    ]

    @Test(arguments: cases)
    func aStreamIsReadAsTheStandardSaysWhereverTheChunksEnd(stream: String, events: [ServerSentEvent]) {
        for chunks in Data(stream.utf8).everyCut { #expect(Events(of: chunks).found == events) }
    }

    @Test
    func invalidUTF8IsReplaced() {
        let bytes = Data([UInt8]("data:a".utf8) + [0xFF, 0xE2, 0x82] + [UInt8]("\ndata:b\n\n".utf8))
        for chunks in bytes.everyCut {
            #expect(Events(of: chunks).found == [ServerSentEvent(data: "a\u{FFFD}\u{FFFD}\nb")])
        }
    }

    @Test(arguments: [
        ("data:ab\ndata:cd\n\n", 2),
        ("data:ab\ndata:c\n\ndata:ab\n\n", nil),
        ("data:a\ndata\ndata\ndata\ndata\n", 5),
        ("\n\ndata:a\n\ndata:abcd\ndata:\n\n", 6),
    ])
    func eventOverTheLimitFailsEvenIfItsLinesAreShort(stream: String, line: Int?) {
        for chunks in Data(stream.utf8).everyCut {
            let failure = line.map { StreamFailure.eventTooLong(limit: 4, line: $0) }
            #expect(Events(of: chunks, limit: 4).failure == failure)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func randomStreamsGiveTheEventsThatTheStandardsOwnStepsGive(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words = ["data", "data:", "event", "id", "retry:", ":", " ", "7", "\0", "é", "\u{FEFF}"]
        let ends = ["\n", "\n", "\r", "\r\n", "\n\n"]
        let pieces = (words + ends).map { [UInt8]($0.utf8) } + [[0xFF], [0xE2, 0x82]]
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).flatMap { _ in
                pieces.randomElement(using: &generator) ?? []
            }
            let chunks = Data(bytes).cut(using: &generator)
            #expect(Events(of: chunks).found == Events.inAll(bytes), "\(chunks.map(Array.init))")
        }
    }

    @Test(arguments: ExtremeNumbers.texts)
    func extremeEventRetryIsUsedOrIgnored(number: String) {
        let events = Events(of: [Data("retry: \(number)\ndata: x\n\n".utf8)]).found
        let isNumber = !number.isEmpty && number.allSatisfy(\.isNumber)
        let seconds = isNumber ? min((Double(number) ?? 0) / 1000, 2_147_483_648) : nil
        #expect(events == [ServerSentEvent(data: "x", retry: seconds)])
    }
}
