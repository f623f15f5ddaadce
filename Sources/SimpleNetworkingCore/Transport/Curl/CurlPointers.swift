import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    // What the C engine keeps as a pointer. Both types are one pointer in every version of Swift's runtime so far, which
    // `unsafeBitCast` checks when it runs; another size stops the program at its first request.

    extension UnsafeContinuation<Void, Never> {
        /// The continuation as a pointer, to be resumed once.
        var pointer: UnsafeMutableRawPointer { unsafeBitCast(self, to: UnsafeMutableRawPointer.self) }

        /// Returns the continuation that was made a pointer.
        init(pointer: UnsafeMutableRawPointer) {
            self = unsafeBitCast(pointer, to: UnsafeContinuation<Void, Never>.self)
        }
    }

    extension UnownedJob {
        /// The job as a pointer, to be run once.
        var pointer: UnsafeMutableRawPointer { unsafeBitCast(self, to: UnsafeMutableRawPointer.self) }

        /// Returns the job that was made a pointer.
        init(pointer: UnsafeMutableRawPointer) { self = unsafeBitCast(pointer, to: UnownedJob.self) }
    }
#endif
