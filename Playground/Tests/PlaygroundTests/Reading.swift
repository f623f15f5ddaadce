import Foundation

/// Reads a pipe on a thread of its own, since a blocked one must not be the pool's.
final class Reading: Sendable {
    private let lines: AsyncStream<String>
    private let whole: Task<String, Never>

    init(_ pipe: Pipe) {
        let (chunks, chunk) = AsyncStream<Data>.makeStream()
        let (lines, line) = AsyncStream<String>.makeStream()
        self.lines = lines
        let file = pipe.fileHandleForReading
        Thread.detachNewThread {
            while true {
                let data = file.availableData
                guard !data.isEmpty else { return chunk.finish() }
                chunk.yield(data)
            }
        }
        whole = Task {
            var all = Data()
            for await data in chunks {
                all.append(data)
                if let end = all.firstIndex(of: UInt8(ascii: "\n")) {
                    line.yield(String(decoding: all[..<end], as: UTF8.self))
                    line.finish()
                }
            }
            line.finish()
            return String(decoding: all, as: UTF8.self)
        }
    }

    /// The first line, without its end; empty if there is none.
    func firstLine() async -> String {
        for await line in lines { return line }
        return ""
    }

    /// All that was written until the end.
    func text() async -> String { await whole.value }
}
