import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    extension CurlTransfer {
        func setHead(of request: TransportRequest) throws {
            let url = request.head.written.text
            let method = request.method.rawValue
            let isValid =
                url.withCharacters { sn_transfer_set_url(pointer, $0, $1) }
                && method.withCharacters { sn_transfer_set_method(pointer, $0, $1) }
                && request.headers.fields.allSatisfy { add($0.name, $0.value) }
            guard !isValid else { return }
            // Validated again, for an error that states the reason.
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
            case .stream(let length, let make): try send(CurlStreamSource(transfer: self, make: make), length)
            case .chunks(let length, let chunks):
                if chunks.trailers != nil { sn_transfer_send_trailers(pointer) }
                try send(CurlChunkSource(transfer: self, chunks: chunks), length)
            }
        }

        private func send(_ source: some CurlBodySource, _ length: Int?) throws {
            let kept = Unmanaged.passRetained(source).toOpaque()
            let isKept = sn_transfer_send_stream(pointer, length.map(Int64.init) ?? -1, kept)
            guard isKept else { throw CurlTransport.outOfMemory }
        }

        var source: (any CurlBodySource)? { sn_transfer_source(pointer).flatMap(source(at:)) }

        private func send(_ data: Data) throws {
            let isKept = data.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, bytes.count > 64 << 10 else {
                    return sn_transfer_send_copy(pointer, bytes.baseAddress, bytes.count)
                }
                // Large data is not copied: its storage stays in place while it is retained.
                let keeper = Unmanaged.passRetained(Boxed(data)).toOpaque()
                return sn_transfer_send_borrowed(pointer, start, bytes.count, keeper)
            }
            guard isKept else { throw CurlTransport.outOfMemory }
        }
    }
#endif
