import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

@Suite(.timeLimit(.minutes(5)))
struct LineSplitterTests {
    @Test(arguments: [
        ("", [], []),
        ("a", ["a"], ["a"]),
        ("a\nb", ["a", "b"], ["a", "b"]),
        ("a\nb\n", ["a", "b"], ["a", "b"]),
        ("\n\n", ["", ""], ["", ""]),
        ("a\r\nb\r\n", ["a", "b"], ["a", "b"]),
        ("a\rb\r", ["a", "b"], ["a\rb"]),
        ("a\r\r\nb", ["a", "", "b"], ["a\r", "b"]),
        ("a\n\rb", ["a", "", "b"], ["a", "\rb"]),
        ("a\r\n\r\n", ["a", ""], ["a", ""]),
        ("\r", [""], []),
        ("äöü\n€\r\n😀", ["äöü", "€", "😀"], ["äöü", "€", "😀"]),
        ("a\u{85}b\u{2028}c\u{0B}d", ["a\u{85}b\u{2028}c\u{0B}d"], ["a\u{85}b\u{2028}c\u{0B}d"]),
        ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"], ["a", "\u{FEFF}b"]),
        ("\u{FEFF}\u{FEFF}\n", ["\u{FEFF}"], ["\u{FEFF}"]),
        ("\u{FEFF}\n", [""], [""]),
        ("\u{FEFF}", [], []),
    ])
    func linesAreTheSameWhereverTheChunksEnd(text: String, any: [String], lineFeed: [String]) {
        for chunks in Data(text.utf8).everyCut {
            #expect(Lines(of: chunks, .any).texts == any)
            #expect(Lines(of: chunks, .lineFeed).texts == lineFeed)
        }
    }

    @Test
    func anUnfinishedLineIsGivenOnlyIfWanted() {
        for chunks in Data("a\nb".utf8).everyCut {
            #expect(Lines(of: chunks, .any, keepsUnfinished: false).texts == ["a"])
        }
    }

    @Test
    func aLineEndsWithItsCarriageReturnBeforeTheNextChunkIsThere() throws {
        var splitter = LineSplitter(lineEnd: .any, keepsUnfinished: false, limit: 10)
        splitter.add(Data("a\r".utf8))
        #expect(try splitter.next() == Data("a".utf8))
        #expect(try splitter.next() == nil)
        splitter.add(Data())
        #expect(try splitter.next() == nil)
        splitter.add(Data("\nb\n".utf8))
        #expect(try splitter.next() == Data("b".utf8))
        #expect(try splitter.next() == nil)
        #expect(splitter.count == 2)
    }

    @Test
    func aChunkMayBeAddedBeforeAllLinesAreTaken() throws {
        var splitter = LineSplitter(lineEnd: .any, keepsUnfinished: true, limit: 10)
        for chunk in ["a\nb\nc", "d\n", "e"] { splitter.add(Data(chunk.utf8)) }
        #expect(try splitter.next() == Data("a".utf8))
        splitter.add(Data("f".utf8))
        splitter.finish()
        var lines: [Data] = []
        while let line = try splitter.next() { lines.append(line) }
        #expect(lines == ["b", "cd", "ef"].map { Data($0.utf8) })
    }

    @Test
    func linesWithinAChunkAreNotCopied() throws {
        let chunk = Data((String(repeating: "x", count: 100) + "\n" + String(repeating: "y", count: 100) + "\n").utf8)
        var splitter = LineSplitter(lineEnd: .any, keepsUnfinished: false, limit: 100)
        splitter.add(chunk)
        let begin = chunk.withUnsafeBytes(\.baseAddress)
        #expect(try splitter.next()?.withUnsafeBytes(\.baseAddress) == begin)
        #expect(try splitter.next()?.withUnsafeBytes(\.baseAddress) == begin.map { $0 + 101 })
    }

    @Test(arguments: [
        ("aaa\nbbb\r\nccc", nil),
        ("aaa\nbbbb\nc", 2),
        ("aaa\nbbbb\r\n", 2),
        ("aaaa", 1),
        ("\n\naaaaaaaaaa", 3),
    ])
    func aLineOverTheLimitIsRefusedAfterTheOnesBeforeIt(text: String, line: Int?) {
        for end in [LineSplitter.LineEnd.any, .lineFeed] {
            for chunks in Data(text.utf8).everyCut {
                let lines = Lines(of: chunks, end, limit: 3)
                #expect(lines.failure == line.map { LineTooLong(limit: 3, line: $0) })
                #expect(lines.found.count == line.map { $0 - 1 } ?? 3)
            }
        }
    }

    @Test
    func aLineOverTheLimitIsRefusedBeforeItsEndIsThere() throws {
        var splitter = LineSplitter(lineEnd: .lineFeed, keepsUnfinished: true, limit: 3)
        splitter.add(Data("aaa\r".utf8))
        #expect(try splitter.next() == nil)
        splitter.add(Data("a".utf8))
        #expect(throws: LineTooLong(limit: 3, line: 1)) { try splitter.next() }
        #expect("\(StreamFailure.lineTooLong(limit: 3, line: 1))" == "line 1 of the content has more than 3 bytes")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func randomBytesGiveTheLinesThatASimplerWayFinds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["\n", "\r", "\r\n", "a", "ab", "é", "\u{FEFF}"].map { [UInt8]($0.utf8) }
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0...12, using: &generator)).flatMap { _ in
                pieces.randomElement(using: &generator) ?? []
            }
            let limit = Int.random(in: 2...12, using: &generator)
            let keepsUnfinished = Bool.random(using: &generator)
            for end in [LineSplitter.LineEnd.any, .lineFeed] {
                let chunks = Data(bytes).cut(using: &generator)
                let lines = Lines(of: chunks, end, keepsUnfinished: keepsUnfinished, limit: limit)
                let expected = Lines(inAll: bytes, end, keepsUnfinished: keepsUnfinished, limit: limit)
                #expect(lines == expected, "\(chunks.map(Array.init)), \(end), \(limit)")
            }
        }
    }
}
