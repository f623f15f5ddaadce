import SimpleNetworkingSupport

/// Reads a stream piece by piece on its own queue, because reading may block and runs the caller's code.
package final class StreamReader: @unchecked Sendable {
    private let make: @Sendable () -> (any ContentStream)?
    private let queue = DispatchQueue(label: "SimpleNetworking.StreamReader")
    // Used only on the queue.
    private var stream: (any ContentStream)?
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    package init(_ make: @escaping @Sendable () -> (any ContentStream)?) { self.make = make }

    /// Passes on the next piece: no bytes at the end, or a negative count if there is no readable stream.
    package func read(_ receive: @escaping @Sendable (_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Void) {
        queue.async {
            if self.stream == nil {
                self.stream = self.make()
                self.stream?.open()
            }
            let count = self.stream?.read(&self.buffer, maxLength: self.buffer.count) ?? -1
            receive(self.buffer, count)
        }
    }

    /// Closes the stream, on the queue because that may run the caller's code; the next `read` opens a new one.
    package func rewind() {
        queue.async {
            self.stream?.close()
            self.stream = nil
        }
    }
}
