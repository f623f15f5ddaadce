import SimpleNetworkingFeatureSupport

/// Splits bytes into lines; the bytes arrive in chunks, which may end anywhere.
///
/// Add a chunk, take lines until there are none, and then add the next chunk. Lines don't include their ends, and the
/// first line doesn't include a byte order mark. A line within one chunk is not copied.
struct LineSplitter: Sendable {
    /// Selects the sequences that end a line.
    enum LineEnd {
        /// LF, with or without a CR before it.
        case lineFeed
        /// CR LF, LF or CR.
        case any
    }

    private let lineEnd: LineEnd
    /// Whether the last line needs no end.
    private let keepsUnfinished: Bool
    /// The maximum size of a line without its end, in bytes.
    private let limit: Int
    private var chunk = Data()
    /// The offset in the chunk at which the next line begins.
    private var position = 0
    private var lineFeed = ByteSearch(for: 0x0A)
    private var carriageReturn = ByteSearch(for: 0x0D)
    /// The beginning of a line whose end has not arrived yet.
    private var unfinished = Data()
    private var followsReturn = false
    private var isFinished = false
    /// The number of lines taken.
    private(set) var count = 0

    init(lineEnd: LineEnd, keepsUnfinished: Bool, limit: Int) {
        self.lineEnd = lineEnd
        self.keepsUnfinished = keepsUnfinished
        self.limit = limit
    }

    mutating func add(_ chunk: Data) {
        self.chunk = position < self.chunk.count ? slice(to: self.chunk.count) + chunk : chunk
        position = 0
        lineFeed.restart()
        carriageReturn.restart()
    }

    /// Ends the input.
    mutating func finish() { isFinished = true }

    /// Takes a line; nil if its end has not arrived yet.
    mutating func next() throws(LineTooLong) -> Data? {
        guard let end = findEnd() else {
            unfinished.append(slice(to: chunk.count))
            chunk = Data()
            position = 0
            guard isFinished, keepsUnfinished else {
                try check(content(of: unfinished))
                return nil
            }
            let line = try line(unfinished)
            unfinished = Data()
            return line.isEmpty ? nil : line
        }
        var found = slice(to: end)
        position = end + 1
        if !unfinished.isEmpty {
            unfinished.append(found)
            found = unfinished
            unfinished = Data()
        }
        return try line(found)
    }

    /// Returns the end of the line at the position; nil if it is not in this chunk.
    private mutating func findEnd() -> Int? {
        chunk.withUnsafeBytes { bytes in
            // A line ends with its CR at once, because an LF may never come, or come with the next chunk.
            if followsReturn, position < bytes.count {
                followsReturn = false
                if bytes[position] == 0x0A { position += 1 }
            }
            let feed = lineFeed.first(in: bytes, from: position)
            guard lineEnd == .any else { return feed }
            guard let end = carriageReturn.first(in: bytes, from: position), end < feed ?? .max else { return feed }
            followsReturn = true
            return end
        }
    }

    private func slice(to end: Int) -> Data { chunk[chunk.startIndex + position..<chunk.startIndex + end] }

    private mutating func line(_ found: Data) throws(LineTooLong) -> Data {
        let line = content(of: found)
        try check(line)
        count += 1
        return count == 1 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
    }

    private func content(of line: Data) -> Data {
        lineEnd == .lineFeed && line.last == 0x0D ? line.dropLast() : line
    }

    private func check(_ line: Data) throws(LineTooLong) {
        guard line.count <= limit else { throw LineTooLong(limit: limit, line: count + 1) }
    }
}

/// A line exceeds the limit.
struct LineTooLong: Error, Equatable {
    let limit: Int
    /// The line's number, from 1.
    let line: Int
}

/// Finds successive occurrences of a byte, examining each byte once.
private struct ByteSearch: Sendable {
    private let byte: Int32
    /// The index of the last match, or the number of bytes if there is no other.
    private var found = -1

    init(for byte: UInt8) { self.byte = Int32(byte) }

    /// Restarts the search; must be called when the bytes change.
    mutating func restart() { found = -1 }

    /// Finds the first match at or after an index, which must not decrease.
    mutating func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        if found < start {
            found = bytes.count
            if start < bytes.count, let base = bytes.baseAddress,
                let place = memchr(base + start, byte, bytes.count - start)
            {
                found = UnsafeRawPointer(place) - base
            }
        }
        return found < bytes.count ? found : nil
    }
}
