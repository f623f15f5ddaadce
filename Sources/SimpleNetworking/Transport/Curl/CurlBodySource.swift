#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Supplies a transfer with content that comes piece by piece.
    protocol CurlBodySource: AnyObject, Sendable {
        /// Begins to read the next piece, which `sn_transfer_supply` passes on; called in a turn of the engine.
        func pull()
        /// Starts over: the next piece is the first.
        func rewind()
        /// Ends it, after the transfer.
        func close()
    }

    /// The source that a transfer owns; nil for another owner.
    func source(at address: UnsafeMutableRawPointer) -> (any CurlBodySource)? {
        Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue() as? any CurlBodySource
    }

    /// Reads a body's stream for a transfer, piece by piece, on its own queue: reading may block, and runs the caller's
    /// code.
    final class CurlStreamSource: CurlBodySource, @unchecked Sendable {
        private let transfer: CurlTransfer
        private let make: @Sendable () -> InputStream?
        private let queue = DispatchQueue(label: "SimpleNetworking.CurlStreamSource")
        // Both are used on the queue only.
        private var stream: InputStream?
        private var buffer = [UInt8](repeating: 0, count: 64 << 10)

        /// The transfer owns this, and is retained from here only during a read.
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

        /// Closes the stream, on the queue since that may run the caller's code; the next `pull()` opens a new one.
        func rewind() {
            queue.async {
                self.stream?.close()
                self.stream = nil
            }
        }

        func close() { rewind() }
    }
#endif
