/// Finds a byte again and again in the same bytes, and looks at each of them once.
struct ByteSearch: Sendable {
    private let byte: Int32
    /// The last find, or the count of bytes after the last one; it holds until one looks beyond it.
    private var found = -1

    init(for byte: UInt8) { self.byte = Int32(byte) }

    /// Says that the bytes are others now.
    mutating func restart() { found = -1 }

    /// Finds the first one at or after an index, which is never less than the one before.
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
