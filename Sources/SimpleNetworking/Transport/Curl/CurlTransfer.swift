#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Names one transfer of the C engine, which guards what is shared by a lock of its own.
    struct CurlTransfer: @unchecked Sendable {
        let pointer: OpaquePointer

        init?(engine: OpaquePointer) {
            guard let pointer = sn_transfer_create(engine) else { return nil }
            self.pointer = pointer
        }

        func retain() { _ = sn_transfer_retain(pointer) }
        func release() { sn_transfer_release(pointer) }
        func submit() -> Bool { sn_transfer_submit(pointer) }
        func cancel() { sn_transfer_cancel(pointer) }

        /// Waits until something has happened, and tells what.
        func nextEvents() async -> UInt32 {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                let context = unsafeBitCast(continuation, to: UnsafeMutableRawPointer.self)
                if !sn_transfer_wait(pointer, context) { continuation.resume() }
            }
            return sn_transfer_take_events(pointer)
        }
    }
#endif
