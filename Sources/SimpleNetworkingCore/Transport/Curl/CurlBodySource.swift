import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Supplies a transfer with content that arrives piece by piece.
    protocol CurlBodySource: AnyObject, Sendable {
        /// Starts to read the next piece, which `sn_transfer_supply` passes on. The engine calls this method in a turn.
        func pull()
        /// Starts over with the first piece.
        ///
        /// The engine calls this method in a turn, which the caller's code must not delay.
        func rewind()
        /// Closes the source after the transfer.
        func close()
    }

    func source(at address: UnsafeMutableRawPointer) -> (any CurlBodySource)? {
        Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue() as? any CurlBodySource
    }

    /// Reads a body's stream for a transfer, piece by piece.
    final class CurlStreamSource: CurlBodySource {
        private let transfer: CurlTransfer
        private let reader: StreamReader

        /// The transfer owns this source, which retains the transfer only during a read.
        init(transfer: CurlTransfer, make: @escaping @Sendable () -> (any ContentStream)?) {
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

    /// Reads a body's pieces from an asynchronous sequence, each after libcurl has sent the previous piece.
    ///
    /// The sequence runs in tasks, because it is the caller's code, and may take any amount of time.
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

        /// The transfer owns this source, which retains the transfer only while it awaits a piece.
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
                // An error of a sequence abandoned because the request is sent again doesn't concern this request.
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
            // A server could mistake these for the framing of the request (RFC 9110 §6.5.1).
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
            // Along with the error, which may be the user's own.
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
