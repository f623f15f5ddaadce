#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Reads a stream for a transfer, piece by piece, on a queue of its own: reading may block, and runs a user's code.
    final class CurlUploadSource: @unchecked Sendable {
        private let transfer: CurlTransfer
        private let make: @Sendable () -> InputStream?
        private let queue = DispatchQueue(label: "SimpleNetworking.CurlUploadSource")
        // Both are used on the queue only.
        private var stream: InputStream?
        private var buffer = [UInt8](repeating: 0, count: 64 << 10)

        /// The transfer owns this, so it is not retained from here, except while something is read for it.
        init(transfer: CurlTransfer, make: @escaping @Sendable () -> InputStream?) {
            self.transfer = transfer
            self.make = make
        }

        func pull() {
            transfer.retain()
            let generation = sn_transfer_generation(transfer.pointer)
            queue.async {
                if self.stream == nil {
                    self.stream = self.make()
                    self.stream?.open()
                }
                let count = self.stream?.read(&self.buffer, maxLength: self.buffer.count) ?? -1
                sn_transfer_supply(self.transfer.pointer, generation, self.buffer, count)
                self.transfer.release()
            }
        }

        /// Another stream is made when it is asked for: libcurl sends again, for instance when a kept connection turned out
        /// to be closed.
        func rewind() { close() }

        /// Ends the stream, on the queue: a user's code may run then, too.
        func close() {
            queue.async {
                self.stream?.close()
                self.stream = nil
            }
        }
    }
#endif
