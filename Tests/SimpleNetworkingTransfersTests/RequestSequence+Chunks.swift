import Foundation
import SimpleNetworkingTestSupport

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

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
