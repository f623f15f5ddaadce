import Foundation

@testable import SimpleNetworking

/// Gives chunks as a transfer does, and records the requests for them.
struct Chunks: AsyncSequence, Sendable {
    /// What comes after the last chunk.
    enum Ending: Sendable {
        case end
        case failure(any Error)
        /// Nothing, until the task is cancelled.
        case silence
    }

    let chunks: [Data]
    var ending = Ending.end
    /// One for each chunk that was requested, including the end.
    let requested = Recorder<Int>()
    /// One for each iterator that was released.
    let gone = Recorder<Bool>()

    init(_ chunks: [Data], ending: Ending = .end) {
        self.chunks = chunks
        self.ending = ending
    }

    init(_ texts: String..., ending: Ending = .end) { self.init(texts.map { Data($0.utf8) }, ending: ending) }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks[...], source: self, token: Token(gone: gone)) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var chunks: ArraySlice<Data>
        fileprivate let source: Chunks
        fileprivate let token: Token

        mutating func next() async throws -> Data? {
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

extension Chunks {
    /// Opens the chunks as a response's body.
    fileprivate func open(_ response: SimpleResponse?) -> ChunkSource {
        var iterator = makeAsyncIterator()
        return ChunkSource(next: { try await iterator.next() }, response: { response })
    }
}

extension RequestSequence<String> {
    static func lines(_ chunks: Chunks) -> Self { .lines(of: { chunks.open(nil) }) }
}

extension RequestSequence<ServerSentEvent> {
    static func events(_ chunks: Chunks, maxLength: Int = 1 << 20, response: SimpleResponse? = nil) -> Self {
        .events(of: { chunks.open(response) }, maxLength: maxLength)
    }
}

extension RequestSequence where Element: Decodable & _SendableMetatype {
    static func jsonLines(_ chunks: Chunks, response: SimpleResponse? = nil) -> Self {
        .jsonLines(of: { chunks.open(response) }, Coders(decoder: JSONDecoder.standard))
    }
}

extension AsyncSequence {
    /// What it gives, and the error it ends with.
    func all() async -> (elements: [Element], error: (any Error)?) {
        var elements: [Element] = []
        do {
            for try await element in self { elements.append(element) }
            return (elements, nil)
        } catch {
            return (elements, error)
        }
    }
}
