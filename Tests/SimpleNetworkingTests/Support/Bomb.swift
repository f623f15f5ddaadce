import Foundation

/// Makes content that is small on the wire and large in memory.
enum Bomb {
    /// Makes this many megabytes of zeros, compressed by the `gzip` of the system; nil without one.
    static func compressedZeros(megabytes: Int) -> Data? {
        #if os(macOS) || os(Linux)
            try? ChildProcess.output(of: "head -c \(megabytes)000000 /dev/zero | gzip -1")
        #else
            nil
        #endif
    }
}
