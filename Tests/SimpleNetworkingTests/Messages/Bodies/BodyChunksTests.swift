import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// Content that comes in pieces, as middleware and transports of your own read it.
@Suite(.timeLimit(.minutes(5)))
struct BodyChunksTests {
    private struct Surprise: Error {}

    @Test
    func aTransportOfYourOwnReadsThePiecesAndThenTheTrailers() async throws {
        struct Reader: Transport {
            let read: Recorder<String>

            func send(_ request: TransportRequest) async throws -> TransportResponse {
                guard case .chunks(_, let chunks) = request.body else { return TransportResponse(httpStatus: 400) }
                for try await chunk in chunks { read.add(String(decoding: chunk, as: UTF8.self)) }
                for field in try await chunks.trailers?() ?? [:] { read.add("\(field.name): \(field.value)") }
                return TransportResponse(httpStatus: 200)
            }
        }
        let read = Recorder<String>()
        let client = SimpleNetworking(over: Reader(read: read))
        let chunks = BodyChunks(trailers: { ["X-Sum": "42"] }, { Chunks("one", "two") })
        let response = await client.post("/") { $0.body(chunks: chunks, contentType: .text) }.ended()
        #expect(response.value?.httpStatus == 200)
        #expect(read.elements == ["one", "two", "X-Sum: 42"])
    }

    @Test(arguments: Engine.allCases)
    func middlewareMayChangeEachPiece(engine: Engine) async throws {
        struct Shout: Middleware {
            func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
                guard case .chunks(let length, let chunks) = request.body else { return try await next(request) }
                var request = request
                let loud = BodyChunks(trailers: chunks.trailers) {
                    chunks.map { Data(String(decoding: $0, as: UTF8.self).uppercased().utf8) }
                }
                request.body = .chunks(length: length, loud)
                return try await next(request)
            }
        }
        let server = try RawServer { .echo($0) }
        let client = try engine.client(server) { $0.middleware = [Shout()] }
        for length in [nil, 6] {
            let chunks = BodyChunks { Chunks("one", "two") }
            await client.post("/") { $0.body(chunks: chunks, length: length, contentType: .text) }.ended()
        }
        #expect(server.requests.map(\.text) == ["ONETWO", "ONETWO"])
    }

    @Test
    func everyIterationMakesTheContentAnew() async throws {
        let made = Locked(0)
        let chunks = BodyChunks {
            made.withLock { $0 += 1 }
            return Chunks("one", "two")
        }
        for _ in 0..<2 {
            var texts: [String] = []
            for try await chunk in chunks { texts.append(String(decoding: chunk, as: UTF8.self)) }
            #expect(texts == ["one", "two"])
        }
        #expect(made.withLock { $0 } == 2)
    }

    @MainActor
    @Test
    func anActorReadsThePiecesAndGetsTheErrorOfTheSequence() async throws {
        var texts: [String] = []
        await #expect(throws: Surprise.self) {
            for try await chunk in BodyChunks({ Chunks("one", ending: .failure(Surprise())) }) {
                texts.append(String(decoding: chunk, as: UTF8.self))
            }
        }
        #expect(texts == ["one"])
    }

    @Test
    func aReaderThatLeavesEarlyLetsTheSequenceGo() async throws {
        let source = Chunks("one", "two")
        for try await _ in BodyChunks({ source }) { break }
        #expect(source.requested.elements.count == 1 && source.gone.elements.count == 1)
    }
}
