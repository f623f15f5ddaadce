import Foundation
import Testing

@testable import SimpleNetworking

/// What holds for events, text lines and JSON lines alike.
@Suite(.timeLimit(.minutes(5)))
struct LineReaderTests {
    @Test
    func aChunkIsAskedForWhenTheLinesOfTheOneBeforeAreUsedUp() async throws {
        let chunks = Chunks("a\nb\nc", "d\ne\n", "", "f")
        var iterator = TextLines(chunks).makeAsyncIterator()
        #expect(chunks.asked.elements.isEmpty)
        for (line, asked) in [("a", 1), ("b", 1), ("cd", 2), ("e", 2), ("f", 5)] {
            #expect(try await iterator.next() == line)
            #expect(chunks.asked.elements.count == asked)
        }
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(chunks.asked.elements.count == 5)
    }

    @Test
    func eventsAreGivenBeforeTheNextChunkIsAskedFor() async throws {
        let chunks = Chunks("data:1\r\rdata:2\r\n\r", "\ndata:3\n\n", "data:4\n", ending: .silence)
        var iterator = ServerSentEvents(chunks).makeAsyncIterator()
        for (data, asked) in [("1", 1), ("2", 1), ("3", 2)] {
            #expect(try await iterator.next()?.data == data)
            #expect(chunks.asked.elements.count == asked)
        }
    }

    @Test
    func valuesAreGivenBeforeTheNextChunkIsAskedFor() async throws {
        let chunks = Chunks("1\n2\n\n", "3", "4\n", ending: .silence)
        var iterator = JSONLines(of: Int.self, chunks, decoder: JSONDecoder.standard).makeAsyncIterator()
        for (value, asked) in [(1, 1), (2, 1), (34, 3)] {
            #expect(try await iterator.next() == value)
            #expect(chunks.asked.elements.count == asked)
        }
    }

    @Test
    func whatTheChunksEndWithPassesThroughOnceAfterTheLinesBefore() async throws {
        let head = RequestHead(url: try #require(URL(string: "https://api.example.com/")))
        let failure = SimpleNetworkingError.timedOut(.idle(3), head)
        let chunks = Chunks("a\nb", ending: .failure(failure))
        var iterator = TextLines(chunks).makeAsyncIterator()
        #expect(try await iterator.next() == "a")
        await #expect {
            try await iterator.next()
        } throws: {
            if case SimpleNetworkingError.timedOut(.idle(3), head) = $0 { true } else { false }
        }
        #expect(try await iterator.next() == nil)
        #expect(chunks.asked.elements.count == 2)
    }

    @Test
    func cancellingTheTaskEndsTheWaitingForAChunk() async {
        let chunks = Chunks("data:1\n\n", ending: .silence)
        let first = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await _ in ServerSentEvents(chunks) { first.continuation.yield() }
        }
        for await _ in first.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(chunks.gone.elements.count == 1)
    }

    @Test
    func leavingTheLoopLetsGoOfTheChunks() async throws {
        let chunks = Chunks("a\nb\n", ending: .silence)
        for try await _ in TextLines(chunks) { break }
        #expect(chunks.asked.elements.count == 1)
        #expect(chunks.gone.elements.count == 1)
    }

    @Test
    func anErrorLetsGoOfTheChunksThoughTheIteratorIsKept() async throws {
        let chunks = Chunks("1\nx\n2\n", ending: .silence)
        var iterator = JSONLines(of: Int.self, chunks, decoder: JSONDecoder.standard).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: SimpleNetworkingError.self) { try await iterator.next() }
        #expect(chunks.gone.elements.count == 1)
        #expect(try await iterator.next() == nil)
    }

    @Test
    func eachTimeItIsGoneThroughItBeginsAnew() async throws {
        let lines = TextLines(Chunks("a\nb"))
        #expect(await lines.all().elements == ["a", "b"])
        #expect(await lines.all().elements == ["a", "b"])
    }

    @Test
    func aSequenceMayGoToAnotherTask() async throws {
        let (events, lines) = (ServerSentEvents(Chunks("data:1\n\n")), TextLines(Chunks("a")))
        let values = JSONLines(of: Int.self, Chunks("1"), decoder: JSONDecoder.standard)
        let counts = await Task.detached {
            await [events.all().elements.count, lines.all().elements.count, values.all().elements.count]
        }.value
        #expect(counts == [1, 1, 1])
    }
}
