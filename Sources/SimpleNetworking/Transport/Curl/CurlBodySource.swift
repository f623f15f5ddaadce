#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Supplies a transfer with content that comes piece by piece.
    protocol CurlBodySource: AnyObject, Sendable {
        /// Begins to read the next piece, which `sn_transfer_supply` passes on; called in a turn of the engine.
        func pull()
        /// Starts over: the next piece is the first; called in a turn of the engine, which no user code may delay.
        func rewind()
        /// Ends it, after the transfer.
        func close()
    }

    func source(at address: UnsafeMutableRawPointer) -> (any CurlBodySource)? {
        Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue() as? any CurlBodySource
    }

    /// Reads a body's stream for a transfer, piece by piece.
    final class CurlStreamSource: CurlBodySource {
        private let transfer: CurlTransfer
        private let reader: StreamReader

        /// The transfer owns this, and is retained from here only during a read.
        init(transfer: CurlTransfer, make: @escaping @Sendable () -> InputStream?) {
            self.transfer = transfer
            reader = StreamReader(make)
        }

        func pull() {
            transfer.retain()
            let generation = sn_transfer_generation(transfer.pointer)
            reader.read { [transfer] bytes, count in
                sn_transfer_supply(transfer.pointer, generation, bytes, count)
                transfer.release()
            }
        }

        func rewind() { reader.rewind() }

        func close() { reader.rewind() }
    }

    /// Takes the pieces of a body from an asynchronous sequence, one whenever libcurl has sent the one before.
    ///
    /// Both run in tasks: the sequence is the caller's code, and may take as long as it likes.
    final class CurlChunkSource: CurlBodySource {
        private struct State {
            var pieces: Handover<Data>?
            var producer: Task<Void, Never>?
            var trailers: HTTPHeaders = [:]
            var error: (any Error)?
            var isClosed = false
        }

        private let transfer: CurlTransfer
        private let chunks: BodyChunks
        private let state = Locked(State())

        /// The transfer owns this, and is retained from here only while a piece is awaited.
        init(transfer: CurlTransfer, chunks: BodyChunks) {
            self.transfer = transfer
            self.chunks = chunks
        }

        var error: (any Error)? { state.withLock { $0.error } }

        func pull() {
            transfer.retain()
            let generation = sn_transfer_generation(transfer.pointer)
            let pieces = currentPieces()
            Task {
                await supply(from: pieces, generation)
                transfer.release()
            }
        }

        private func currentPieces() -> Handover<Data> {
            state.withLock { state in
                if let pieces = state.pieces { return pieces }
                let pieces = Handover<Data>()
                if state.isClosed {
                    pieces.finish(throwing: CancellationError())
                } else {
                    state.producer = Task { [chunks] in
                        do {
                            // An empty chunk would end the content on the wire.
                            for try await chunk in chunks where !chunk.isEmpty { try await pieces.give(chunk) }
                            try await self.keep(chunks.trailers?() ?? [:], after: pieces)
                            pieces.finish()
                        } catch { pieces.finish(throwing: error) }
                    }
                }
                state.pieces = pieces
                return pieces
            }
        }

        private func supply(from pieces: Handover<Data>, _ generation: UInt32) async {
            do {
                let piece = try await pieces.take()
                for field in piece == nil ? state.withLock({ $0.trailers.fields }) : [] {
                    guard sn_transfer_add_trailer(transfer.pointer, generation, "\(field.name): \(field.value)") else {
                        throw CurlTransport.outOfMemory
                    }
                }
                (piece ?? Data()).withUnsafeBytes {
                    sn_transfer_supply(transfer.pointer, generation, $0.baseAddress, $0.count)
                }
            } catch {
                // That of a sequence that was given up, since the request is sent again, is none of this request.
                let former = state.withLock { state in
                    let former = state.error
                    if state.pieces === pieces { state.error = error }
                    return former
                }
                withExtendedLifetime(former) {}
                sn_transfer_supply(transfer.pointer, generation, nil, -1)
            }
        }

        private func keep(_ trailers: HTTPHeaders, after pieces: Handover<Data>) throws {
            if let reason = trailers.defect { throw SimpleNetworkingError.invalidRequest(reason: reason, nil) }
            // A server could take these for the framing of the request (RFC 9110 §6.5.1).
            for name in ["Content-Length", "Transfer-Encoding", "Host", "Trailer"] where trailers.contains(name) {
                throw SimpleNetworkingError.invalidRequest(reason: "\(name) cannot be a trailer", nil)
            }
            state.withLock { if $0.pieces === pieces { $0.trailers = trailers } }
        }

        func rewind() {
            let ended = takeState(isClosed: false)
            // Cancelling runs the cancellation handlers of the caller's sequence.
            DispatchQueue.global().async { Self.end(ended) }
        }

        func close() { Self.end(takeState(isClosed: true)) }

        private func takeState(isClosed: Bool) -> State {
            // With the error, which may be a user's.
            state.withLock { state in
                let taken = state
                state = State(isClosed: isClosed || taken.isClosed)
                return taken
            }
        }

        private static func end(_ state: State) {
            state.producer?.cancel()
            state.pieces?.finish(throwing: CancellationError())
        }
    }
#endif
