import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

@Suite(.timeLimit(.minutes(5)))
struct TextLinesTests {
    @Test(arguments: [
        ("", []),
        ("a\n\nä€😀\r\nb\rc", ["a", "", "ä€😀", "b", "c"]),
        ("\u{FEFF}a\n", ["a"]),
    ])
    func linesAreTextWhereverTheChunksEnd(text: String, lines: [String]) async {
        for chunks in Data(text.utf8).everyCut {
            #expect(await RequestSequence.lines(Chunks(chunks)).all().elements == lines)
        }
    }

    @Test
    func invalidUTF8IsReplaced() async {
        for chunks in Data([0x61, 0xFF, 0x0A, 0xE2, 0x82, 0x0A, 0xC3]).everyCut {
            let lines = await RequestSequence.lines(Chunks(chunks)).all().elements
            #expect(lines == ["a\u{FFFD}", "\u{FFFD}", "\u{FFFD}"])
        }
    }

    @Test
    func aLineMayHaveAMebibyteAndNoMore() async {
        let longest = Data(repeating: 0x61, count: 1 << 20)
        let chunks = Chunks([longest, Data("\n".utf8), longest, Data("a".utf8)])
        let (lines, error) = await RequestSequence.lines(chunks).all()
        #expect(lines.map(\.utf8.count) == [1 << 20])
        #expect(
            "\(error.map(String.init(describing:)) ?? "")".contains("line 2 of the content has more than 1048576 bytes")
        )
    }
}
