// The components of header fields (RFC 9110 §5.6).

extension String {
    /// Returns whether field names are equal; they are ASCII and case-insensitive (RFC 9110 §5.1).
    @inline(never)  // Inlined 9 times, it took 8 KB.
    package func isSameFieldName(as other: String) -> Bool {
        withBytes { left in other.withBytes { right in Self.areSame(left, right) } }
    }

    private static func areSame(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for (a, b) in zip(left, right) where a != b {
            // Uppercase and lowercase letters differ in one bit.
            let small = a | 0x20
            guard small == b | 0x20, UInt8(ascii: "a") <= small, small <= UInt8(ascii: "z") else { return false }
        }
        return true
    }

    /// Whether this is a token, as methods and field names are.
    package var isToken: Bool { !isEmpty && isMade(of: tokenBytes) }

    /// Whether this is one or more ASCII digits, without a sign.
    package var isNumber: Bool { !isEmpty && isMade(of: .digits) }
}

private let tokenBytes = ByteSet.lettersAndDigits.union("!#$%&'*+-.^_`|~")

// Quoted strings (RFC 9110 §5.6.4).

extension String {
    /// The text in quotes, with a backslash before quotes and backslashes.
    package var asQuotedString: String {
        "\"" + replacingAll("\\", with: "\\\\").replacingAll("\"", with: "\\\"") + "\""
    }
}

extension Substring.UnicodeScalarView {
    /// Removes and returns the text between quotes, or all the rest if there is no second quote.
    package mutating func takeQuoted() -> String {
        var value = String.UnicodeScalarView()
        removeFirst()
        while let scalar = popFirst(), scalar != "\"" {
            value.append(scalar == "\\" ? popFirst() ?? scalar : scalar)
        }
        return String(value)
    }
}

extension String {
    /// Splits a list at its commas, except for those within quotes.
    ///
    /// If `hidesRest`, an unclosed quote hides all commas after it; otherwise, the quote is ignored.
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

    /// Returns the index of the second quote, or nil if there is none.
    private func endOfQuote(from start: Index) -> Index? {
        var isEscaped = false
        return unicodeScalars[start...].dropFirst().firstIndex { scalar in
            defer { isEscaped = !isEscaped && scalar == "\\" }
            return scalar == "\"" && !isEscaped
        }
    }
}
