// The pieces that header fields are made of (RFC 9110 §5.6).

extension StringProtocol {
    /// Field names are ASCII and compare without case (RFC 9110 §5.1).
    @inlinable
    package func isSameFieldName(as other: some StringProtocol) -> Bool {
        // In place where they are in one piece, as almost always.
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in Self.areSame(left, right) }
        }
        return (isSame ?? nil) ?? Self.areSame(Array(utf8), Array(other.utf8))
    }

    @inlinable
    static func areSame(
        _ left: some RandomAccessCollection<UInt8>,
        _ right: some RandomAccessCollection<UInt8>
    ) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { a, b in
            a == b || (a | 0x20 == b | 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(a | 0x20))
        }
    }

    /// Tells whether all bytes meet a condition; it reads them in place where they are in one piece.
    @inlinable
    package func allBytes(_ condition: (UInt8) -> Bool) -> Bool {
        if let isMet = utf8.withContiguousStorageIfAvailable({ $0.allSatisfy(condition) }) { return isMet }
        return utf8.allSatisfy(condition)
    }

    /// Tells whether this is a token, as methods and field names are.
    @inlinable
    package var isToken: Bool { !isEmpty && allBytes { tokenBytes.contains($0) } }

    /// Tells whether this is one or more ASCII digits, and no sign.
    @inlinable
    package var isNumber: Bool { !isEmpty && allBytes { (0x30...0x39).contains($0) } }
}

@usableFromInline
let tokenBytes = ByteSet.lettersAndDigits.union(ByteSet("!#$%&'*+-.^_`|~"))

extension Substring {
    /// The text without spaces and tabs at its ends.
    package var trimmed: String {
        var bytes = utf8[...]
        while let byte = bytes.first, byte == 0x20 || byte == 0x09 { bytes.removeFirst() }
        while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

extension String {
    /// Splits a list at its commas, except for those within quotes.
    ///
    /// If `hidesRest`, an unclosed quote hides all commas after it; if not, it is ignored.
    package func listMembers(hidingBehindUnclosedQuotes hidesRest: Bool) -> [Substring] {
        let scalars = unicodeScalars
        var members: [Substring] = []
        var start = scalars.startIndex
        var index = start
        var mayBeQuoted = true
        while index < scalars.endIndex {
            if mayBeQuoted, scalars[index] == "\"" {
                if let end = endOfQuote(from: index) { index = end } else { mayBeQuoted = false }
                if !mayBeQuoted, hidesRest { break }
            } else if scalars[index] == "," {
                members.append(self[start..<index])
                start = scalars.index(after: index)
            }
            index = scalars.index(after: index)
        }
        return members + [self[start...]]
    }

    /// The place of the second quote, or nil if there is none.
    private func endOfQuote(from start: Index) -> Index? {
        var isEscaped = false
        return unicodeScalars[start...].dropFirst().firstIndex { scalar in
            defer { isEscaped = !isEscaped && scalar == "\\" }
            return scalar == "\"" && !isEscaped
        }
    }
}
