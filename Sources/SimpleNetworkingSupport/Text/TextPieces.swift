// Text in pieces. Marks are ASCII and found as bytes: among characters, a combining mark behind one would hide it.

extension Substring {
    /// The pieces between marks; empty ones only if `keepsEmpty`.
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

    /// The text before the first mark, and the text after it; without a mark, all of it and nil.
    package func parts(at marks: ByteSet) -> (before: Substring, after: Substring?) {
        guard let mark = utf8.indices.first(where: { marks.contains(utf8[$0]) }) else { return (self, nil) }
        return (self[..<mark], self[utf8.index(after: mark)...])
    }

    /// The text without spaces and tabs at its ends.
    package var trimmed: String {
        var bytes = utf8[...]
        while let byte = bytes.first, byte == 0x20 || byte == 0x09 { bytes.removeFirst() }
        while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

extension String {
    /// The pieces between marks; empty ones only if `keepsEmpty`.
    package func pieces(between marks: ByteSet, keepsEmpty: Bool = false) -> [Substring] {
        self[...].pieces(between: marks, keepsEmpty: keepsEmpty)
    }

    /// The text before the first mark, and the text after it; without a mark, all of it and nil.
    package func parts(at marks: ByteSet) -> (before: Substring, after: Substring?) { self[...].parts(at: marks) }

    /// Tells whether all bytes are of a set; an empty text has none.
    package func isMade(of bytes: ByteSet) -> Bool { withBytes { $0.allSatisfy { bytes.contains($0) } } }

    /// Tells whether some byte is of a set.
    package func contains(anyOf bytes: ByteSet) -> Bool { withBytes { $0.contains { bytes.contains($0) } } }

    /// Reads the bytes in place where they are in one piece, as almost always.
    func withBytes<Result>(_ read: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(read) { return result }
        return Array(utf8).withUnsafeBufferPointer(read)
    }
}
