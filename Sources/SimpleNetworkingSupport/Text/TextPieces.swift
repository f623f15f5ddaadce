// Splits text at ASCII marks. The marks are found as bytes, because a combining mark would hide them among characters.
// The searches are not inlined: the standard library's code for each is hundreds of bytes long.

extension Substring {
    /// Returns the pieces between marks; empty pieces only if `keepsEmpty`.
    package func pieces(between marks: ByteSet, keepsEmpty: Bool = false) -> [Substring] {
        var pieces: [Substring] = []
        var start = startIndex
        for index in utf8.indices where marks.contains(utf8[index]) {
            if keepsEmpty || start < index { pieces.append(self[start..<index]) }
            start = utf8.index(after: index)
        }
        if keepsEmpty || start < endIndex { pieces.append(self[start...]) }
        return pieces
    }

    /// Returns the text before and after the first mark; without a mark, the whole text and nil.
    @inline(never)
    package func parts(at marks: ByteSet) -> (before: Substring, after: Substring?) {
        guard let mark = firstIndex(ofAny: marks) else { return (self, nil) }
        return (self[..<mark], self[utf8.index(after: mark)...])
    }

    /// Returns the index of the first byte in a set; nil if there is none.
    @inline(never)
    package func firstIndex(ofAny bytes: ByteSet) -> Index? { utf8.firstIndex { bytes.contains($0) } }

    /// Returns the index of the last byte in a set; nil if there is none.
    @inline(never)
    package func lastIndex(ofAny bytes: ByteSet) -> Index? { utf8.lastIndex { bytes.contains($0) } }

    /// The text without leading and trailing spaces and tabs.
    package var trimmed: String { trimmed(of: " \t") }

    /// Returns the text without leading and trailing bytes of a set.
    package func trimmed(of blanks: ByteSet) -> String {
        var bytes = utf8[...]
        while let byte = bytes.first, blanks.contains(byte) { bytes.removeFirst() }
        while let byte = bytes.last, blanks.contains(byte) { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

extension String {
    /// Returns the pieces between marks; empty pieces only if `keepsEmpty`.
    package func pieces(between marks: ByteSet, keepsEmpty: Bool = false) -> [Substring] {
        self[...].pieces(between: marks, keepsEmpty: keepsEmpty)
    }

    /// Returns the text before and after the first mark; without a mark, the whole text and nil.
    package func parts(at marks: ByteSet) -> (before: Substring, after: Substring?) { self[...].parts(at: marks) }

    /// Returns whether all bytes are in a set; an empty string has none.
    @inline(never)
    package func isMade(of bytes: ByteSet) -> Bool { withBytes { $0.allSatisfy { bytes.contains($0) } } }

    /// Returns whether any byte is in a set.
    @inline(never)
    package func contains(anyOf bytes: ByteSet) -> Bool { withBytes { $0.contains { bytes.contains($0) } } }

    /// Reads the bytes in place if they are contiguous, as they almost always are.
    func withBytes<Result>(_ read: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(read) { return result }
        return Array(utf8).withUnsafeBufferPointer(read)
    }
}
