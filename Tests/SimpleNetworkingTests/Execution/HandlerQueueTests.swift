import Foundation
import Testing

@testable import SimpleNetworkingCore

@Suite
struct HandlerQueueTests {
    private func queue(ofValueHandlers count: Int) -> HandlerQueue {
        var queue = HandlerQueue()
        queue.handlers = (0..<count).map { _ in Handler(.success, .value({ _ in nil }), at: CallSite()) }
        return queue
    }

    @Test
    func theSearchForValuesGoesOnWhereItStopped() {
        var queue = queue(ofValueHandlers: 3)
        for index in 0..<3 {
            #expect(queue.nextToDecode == index)
            queue.setDecoded(.success(nil), at: index, generation: queue.generation)
            #expect(queue.valueCursor == index)
        }
        #expect(queue.nextToDecode == nil)
    }

    @Test
    func aNewResultIsDecodedForEveryHandler() {
        var queue = queue(ofValueHandlers: 1)
        queue.setDecoded(.success(nil), at: 0, generation: queue.generation)
        #expect(queue.nextToDecode == nil)
        queue.restart()
        #expect(queue.nextToDecode == 0)
    }
}

extension HandlerQueue {
    /// The position of the handler whose value is decoded next.
    fileprivate var nextToDecode: Int? {
        mutating get { if case .decode(let index)? = nextForValue() { index } else { nil } }
    }
}
