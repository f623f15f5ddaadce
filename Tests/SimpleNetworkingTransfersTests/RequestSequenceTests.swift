import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// What holds for events, text lines and JSON lines alike.
@Suite(.timeLimit(.minutes(5)))
struct RequestSequenceTests {
    @Test
    func nextChunkIsRequestedWhenTheLinesOfThePreviousOneAreUsedUp() async throws {
        let chunks = Chunks("a\nb\nc", "d\ne\n", "", "f")
        var iterator = RequestSequence.lines(chunks).makeAsyncIterator()
        #expect(chunks.requested.elements.isEmpty)
        for (line, requested) in [("a", 1), ("b", 1), ("cd", 2), ("e", 2), ("f", 5)] {
            #expect(try await iterator.next() == line)
            #expect(chunks.requested.elements.count == requested)
        }
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(chunks.requested.elements.count == 5)
    }

    @Test
    func eventsAreReturnedBeforeTheNextChunkIsRequested() async throws {
        let chunks = Chunks("data:1\r\rdata:2\r\n\r", "\ndata:3\n\n", "data:4\n", ending: .silence)
        var iterator = RequestSequence.events(chunks).makeAsyncIterator()
        for (data, requested) in [("1", 1), ("2", 1), ("3", 2)] {
            #expect(try await iterator.next()?.data == data)
            #expect(chunks.requested.elements.count == requested)
        }
    }

    @Test
    func valuesAreReturnedBeforeTheNextChunkIsRequested() async throws {
        let chunks = Chunks("1\n2\n\n", "3", "4\n", ending: .silence)
        var iterator = RequestSequence<Int>.jsonLines(chunks).makeAsyncIterator()
        for (value, requested) in [(1, 1), (2, 1), (34, 3)] {
            #expect(try await iterator.next() == value)
            #expect(chunks.requested.elements.count == requested)
        }
    }

    @Test
    func whatTheChunksEndWithPassesThroughOnceAfterTheLinesBefore() async throws {
        let head = RequestHead(url: try #require(URL(string: "https://api.example.com/")))
        let failure = SimpleNetworkingError.timedOut(.idle(3), head)
        let chunks = Chunks("a\nb", ending: .failure(failure))
        var iterator = RequestSequence.lines(chunks).makeAsyncIterator()
        #expect(try await iterator.next() == "a")
        await #expect {
            try await iterator.next()
        } throws: {
            if case SimpleNetworkingError.timedOut(.idle(3), head) = $0 { true } else { false }
        }
        #expect(try await iterator.next() == nil)
        #expect(chunks.requested.elements.count == 2)
    }

    @Test
    func cancellingTheTaskEndsTheWaitingForAChunk() async {
        let chunks = Chunks("data:1\n\n", ending: .silence)
        let first = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await _ in RequestSequence.events(chunks) { first.continuation.yield() }
        }
        for await _ in first.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(chunks.gone.elements.count == 1)
    }

    @Test
    func leavingTheLoopReleasesTheChunks() async throws {
        let chunks = Chunks("a\nb\n", ending: .silence)
        for try await _ in RequestSequence.lines(chunks) { break }
        #expect(chunks.requested.elements.count == 1)
        #expect(chunks.gone.elements.count == 1)
    }

    @Test
    func errorReleasesTheChunksWhileTheIteratorIsRetained() async throws {
        let chunks = Chunks("1\nx\n2\n", ending: .silence)
        var iterator = RequestSequence<Int>.jsonLines(chunks).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: SimpleNetworkingError.self) { try await iterator.next() }
        #expect(chunks.gone.elements.count == 1)
        #expect(try await iterator.next() == nil)
    }

    @Test
    func eachIterationStartsOver() async throws {
        let lines = RequestSequence.lines(Chunks("a\nb"))
        #expect(await lines.all().elements == ["a", "b"])
        #expect(await lines.all().elements == ["a", "b"])
    }

    @Test
    func aSequenceMayGoToAnotherTask() async throws {
        let (events, lines) = (RequestSequence.events(Chunks("data:1\n\n")), RequestSequence.lines(Chunks("a")))
        let values = RequestSequence<Int>.jsonLines(Chunks("1"))
        let counts = await Task.detached {
            await [events.all().elements.count, lines.all().elements.count, values.all().elements.count]
        }.value
        #expect(counts == [1, 1, 1])
    }
}
