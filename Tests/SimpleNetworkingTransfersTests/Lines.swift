import Foundation
import SimpleNetworkingTestSupport

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// The lines of some bytes, and what ended them.
struct Lines: Equatable {
    private(set) var found: [Data] = []
    private(set) var failure: LineTooLong?

    var texts: [String] { found.map { String(decoding: $0, as: UTF8.self) } }

    /// What the splitter makes of chunks.
    init(of chunks: [Data], _ end: LineSplitter.LineEnd, keepsUnfinished: Bool = true, limit: Int = 1000) {
        var splitter = LineSplitter(lineEnd: end, keepsUnfinished: keepsUnfinished, limit: limit)
        do throws(LineTooLong) {
            for chunk in chunks {
                splitter.add(chunk)
                while let line = try splitter.next() { found.append(line) }
            }
            splitter.finish()
            while let line = try splitter.next() { found.append(line) }
        } catch {
            failure = error
        }
    }

    /// What a simpler way, which has all bytes at once, makes of them.
    init(inAll bytes: [UInt8], _ end: LineSplitter.LineEnd, keepsUnfinished: Bool = true, limit: Int = 1000) {
        var lines: [[UInt8]] = [[]]
        for (index, byte) in bytes.enumerated() {
            let isPair = byte == 0x0A && index > 0 && bytes[index - 1] == 0x0D
            if byte == 0x0A, end == .lineFeed || !isPair {
                if isPair { lines[lines.count - 1].removeLast() }
                lines.append([])
            } else if byte == 0x0D, end == .any {
                lines.append([])
            } else if byte != 0x0A {
                lines[lines.count - 1].append(byte)
            }
        }
        if end == .lineFeed, lines.last?.last == 0x0D { lines[lines.count - 1].removeLast() }
        for (index, line) in lines.enumerated() {
            guard line.count <= limit else {
                failure = LineTooLong(limit: limit, line: index + 1)
                return
            }
            let isMarked = index == 0 && line.starts(with: [0xEF, 0xBB, 0xBF])
            let content = Data(line.dropFirst(isMarked ? 3 : 0))
            if index < lines.count - 1 || keepsUnfinished && !content.isEmpty { found.append(content) }
        }
    }
}
