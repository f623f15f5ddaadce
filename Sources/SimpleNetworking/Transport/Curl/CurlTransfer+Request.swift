#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    extension CurlTransfer {
        func setHead(of request: TransportRequest) throws {
            let url = request.url.absoluteString
            let method = request.method.rawValue
            let isValid =
                url.withCharacters { sn_transfer_set_url(pointer, $0, $1) }
                && method.withCharacters { sn_transfer_set_method(pointer, $0, $1) }
                && request.headers.fields.allSatisfy { add($0.name, $0.value) }
            guard !isValid else { return }
            // Again, for an error that says why.
            try request.head.validate()
            throw SimpleNetworkingError.invalidURL(url, reason: "it has characters that must be encoded")
        }

        private func add(_ name: String, _ value: String) -> Bool {
            name.withCharacters { name, length in
                value.withCharacters { sn_transfer_add_header(pointer, name, length, $0, $1) }
            }
        }

        func setBody(of request: TransportRequest) throws {
            if !request.body.isNone, request.method == .head {
                throw SimpleNetworkingError.invalidRequest(reason: "HEAD has no content", request.head)
            }
            switch request.body {
            case .none:
                // These announce an empty body.
                if [.post, .put, .patch].contains(request.method) { try send(Data()) }
            case .data(let data): try send(data)
            case .file(let url):
                guard sn_transfer_send_file(pointer, url.path) else {
                    throw NetworkFailure(.unreadableBody, detail: String(cString: strerror(errno)))
                }
            case .stream(let length, let make):
                let source = CurlUploadSource(transfer: self, make: make)
                sn_transfer_send_stream(
                    pointer,
                    length.map(Int64.init) ?? -1,
                    Unmanaged.passRetained(source).toOpaque()
                )
            }
        }

        private func send(_ data: Data) throws {
            if data.count > 64 << 10 {
                // Large data is not copied: its storage stays where it is while it is retained.
                let owner = Unmanaged.passRetained(Boxed(data)).toOpaque()
                data.withUnsafeBytes { bytes in
                    guard let start = bytes.baseAddress else { return }
                    sn_transfer_send_borrowed(pointer, start, bytes.count, owner)
                }
            } else {
                let isKept = data.withUnsafeBytes { sn_transfer_send_copy(pointer, $0.baseAddress, $0.count) }
                guard isKept else { throw CurlTransport.outOfMemory }
            }
        }

        func setSink(of request: TransportRequest) {
            sn_transfer_receive_in_memory(pointer, Int64(max(request.maxResponseSize, 0)))
            if case .stream = request.sink { sn_transfer_receive_in_stream(pointer, 128 << 10) }
        }
    }

    extension String {
        /// Passes the characters where they are; as an argument, a `String` would be copied first.
        fileprivate func withCharacters(_ use: (UnsafePointer<CChar>, Int) -> Bool) -> Bool {
            var text = self
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    characters.baseAddress.map { use($0, characters.count) } ?? use("", 0)
                }
            }
        }
    }

    /// Reads a body's stream for a transfer, piece by piece, on its own queue: reading may block, and runs the caller's
    /// code.
    final class CurlUploadSource: @unchecked Sendable {
        private let transfer: CurlTransfer
        private let make: @Sendable () -> InputStream?
        private let queue = DispatchQueue(label: "SimpleNetworking.CurlUploadSource")
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
        func close() {
            queue.async {
                self.stream?.close()
                self.stream = nil
            }
        }
    }
#endif
