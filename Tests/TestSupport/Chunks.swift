import Foundation

/// Gives chunks as a transfer does, and records the requests for them.
package struct Chunks: AsyncSequence, Sendable {
    /// What comes after the last chunk.
    package enum Ending: Sendable {
        case end
        case failure(any Error)
        /// Nothing, until the task is cancelled.
        case silence
    }

    package let chunks: [Data]
    package var ending = Ending.end
    /// One for each chunk that was requested, including the end.
    package let requested = Recorder<Int>()
    /// One for each iterator that was released.
    package let gone = Recorder<Bool>()

    package init(_ chunks: [Data], ending: Ending = .end) {
        self.chunks = chunks
        self.ending = ending
    }

    package init(_ texts: String..., ending: Ending = .end) { self.init(texts.map { Data($0.utf8) }, ending: ending) }

    package func makeAsyncIterator() -> Iterator {
        Iterator(chunks: chunks[...], source: self, token: Token(gone: gone))
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var chunks: ArraySlice<Data>
        fileprivate let source: Chunks
        fileprivate let token: Token

        package mutating func next() async throws -> Data? {
            source.requested.add(1)
            if let chunk = chunks.popFirst() { return chunk }
            switch source.ending {
            case .end: return nil
            case .failure(let error): throw error
            case .silence:
                for await _ in AsyncStream<Void>.makeStream().stream {}
                throw CancellationError()
            }
        }
    }

    fileprivate final class Token: Sendable {
        let gone: Recorder<Bool>

        init(gone: Recorder<Bool>) { self.gone = gone }

        deinit { gone.add(true) }
    }
}
