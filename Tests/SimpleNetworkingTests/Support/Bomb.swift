import Foundation

/// Makes content that is small on the wire and large in memory.
enum Bomb {
    /// So many megabytes of nothing, compressed by the gzip of this machine; nil without one.
    static func compressedZeros(megabytes: Int) -> Data? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "head -c \(megabytes)000000 /dev/zero | gzip -1"]
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        return try? output.fileHandleForReading.readToEnd()
    }
}
