/// Makes what parsers get: from plain words to bytes that nothing sensible sends.
struct RandomInput {
    private var random: SeededGenerator

    init(_ random: SeededGenerator) { self.random = random }

    mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func list<Element>(_ count: ClosedRange<Int>, _ make: (inout Self) throws -> Element) rethrows -> [Element]
    {
        var list: [Element] = []
        for _ in 0..<number(count) { list.append(try make(&self)) }
        return list
    }

    /// Some characters out of a text.
    mutating func text(of characters: String, _ count: ClosedRange<Int> = 1...8) -> String {
        let characters = Array(characters.unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<number(count) { text.append(pick(characters)) }
        return String(text)
    }

    mutating func token(_ count: ClosedRange<Int> = 1...8) -> String {
        text(of: "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789!#$%&'*+-.^_`|~", count)
    }

    /// Text of any characters but those that are left out.
    mutating func anyText(_ count: ClosedRange<Int> = 0...10, without left: String = "") -> String {
        let some = Array(
            "ab0 \t\r\n\0\"\\'<>;:,=/?#%@&+.-_~[]{}()|^`$!*é\u{301}ß日\u{1F600}\u{7F}\u{85}\u{2028}\u{FFFD}"
                .unicodeScalars
        )
        .filter { !left.unicodeScalars.contains($0) }
        var text = String.UnicodeScalarView()
        for _ in 0..<number(count) {
            if chance(12), let scalar = Unicode.Scalar(UInt32.random(in: 1...0x10_FFFF, using: &random)),
                !left.unicodeScalars.contains(scalar)
            {
                text.append(scalar)
            } else {
                text.append(pick(some))
            }
        }
        return String(text)
    }

    mutating func bytes(_ count: ClosedRange<Int>) -> Data {
        Data(list(count) { UInt8.random(in: 0...255, using: &$0.random) })
    }

    /// A text in upper and lower case.
    mutating func anyCase(_ text: String) -> String { text.map { chance(2) ? $0.uppercased() : "\($0)" }.joined() }

    mutating func shuffled<Element>(_ list: [Element]) -> [Element] { list.shuffled(using: &random) }

    /// Pieces that joined are the bytes again; some are empty.
    mutating func cut(_ bytes: Data) -> [Data] {
        var (pieces, rest) = ([Data](), bytes)
        while !rest.isEmpty {
            let count = min(rest.count, chance(3) ? number(0...2) : number(0...40))
            pieces.append(Data(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}
