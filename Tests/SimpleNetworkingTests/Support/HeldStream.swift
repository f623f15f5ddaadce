import Foundation

/// Gives content to send in two halves, the second one after the latch opens.
final class HeldStream: InputStream {
    private let half: Int
    private let latch: RawServer.Latch
    private var given = 0

    init(_ half: Int, until latch: RawServer.Latch) {
        self.half = half
        self.latch = latch
        super.init(data: Data())
    }

    override var hasBytesAvailable: Bool { given < 2 * half }
    override var streamStatus: Stream.Status { given < 2 * half ? .open : .atEnd }
    override var streamError: (any Error)? { nil }
    override func open() {}
    override func close() {}

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
        // The reader has a thread of its own.
        while given == half, !latch.isOpen { Thread.sleep(forTimeInterval: 0.001) }
        let count = min(count, (given < half ? half : 2 * half) - given)
        buffer.update(repeating: 65, count: count)
        given += count
        return count
    }
}
