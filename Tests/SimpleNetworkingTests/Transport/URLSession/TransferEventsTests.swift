import Foundation
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite
struct TransferEventsTests {
    private var events = TransferEvents()

    @Test
    mutating func partsComeInOrderAndTheEndBehindThem() {
        events.add(.head(status: 200, headers: [:]))
        events.add(.content(Data("a".utf8)))
        #expect(take() == "200")
        events.add(.content(Data("b".utf8)))
        events.end(.success(TransportResponse(httpStatus: 299)))
        events.end(.failure(CancellationError()))
        events.add(.content(Data("late".utf8)))
        #expect([take(), take(), take(), take()] == ["a", "b", "ends 299", nil])
        #expect(events.isOver)
    }

    @Test
    mutating func onlyTheNewestProgressWaits() {
        for count in 1...3 { events.report(TransferProgress(bytesReceived: count)) }
        events.add(.content(Data("a".utf8)))
        #expect(take() == "3 a")
        events.report(TransferProgress(bytesReceived: 4))
        #expect(take() == "4")
        events.report(TransferProgress(bytesReceived: 5))
        events.end(.success(TransportResponse(httpStatus: 200)))
        events.report(TransferProgress(bytesReceived: 6))
        #expect([take(), take()] == ["5 ends 200", nil])
    }

    @Test
    mutating func breakingOffComesBeforeAllThatWaits() {
        events.add(.content(Data("abc".utf8)))
        events.report(TransferProgress(bytesReceived: 3))
        events.end(.success(TransportResponse(httpStatus: 200)))
        events.fail(CancellationError())
        #expect([take(), take()] == ["ends CancellationError", nil])
        #expect(events.isOver && events.waitingBytes == 0)
    }

    @Test
    mutating func bytesWaitUntilTheyAreTaken() {
        #expect(!events.hasItems)
        events.add(.content(Data("abc".utf8)))
        events.add(.content(Data("de".utf8)))
        #expect(events.waitingBytes == 5 && events.hasItems)
        _ = take()
        #expect(events.waitingBytes == 2)
        _ = take()
        #expect(events.waitingBytes == 0 && !events.hasItems)
    }

    private mutating func take() -> String? {
        guard let (progress, item) = events.take() else { return nil }
        let words: String? =
            switch item {
            case .interim(let status, _)?: "interim \(status)"
            case .part(.head(let status, _))?: "\(status)"
            case .part(.content(let data))?: String(decoding: data, as: UTF8.self)
            case .end(.success(let response))?: "ends \(response.httpStatus)"
            case .end(.failure(let error))?: "ends \(name(of: error))"
            case nil: nil
            }
        return [progress.map { "\($0.bytesReceived)" }, words].compactMap(\.self).joined(separator: " ")
    }
}
