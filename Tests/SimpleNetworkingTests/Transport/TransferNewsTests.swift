import Foundation
import Testing

@testable import SimpleNetworking

@Suite
struct TransferNewsTests {
    private var news = TransferNews()

    @Test
    mutating func partsComeInOrderAndTheEndBehindThem() {
        news.add(.head(status: 200, headers: [:]))
        news.add(.content(Data("a".utf8)))
        #expect(take() == "200")
        news.add(.content(Data("b".utf8)))
        news.end(.success(TransportResponse(status: 299)))
        news.end(.failure(CancellationError()))
        news.add(.content(Data("late".utf8)))
        #expect([take(), take(), take(), take()] == ["a", "b", "ends 299", nil])
        #expect(news.isOver)
    }

    @Test
    mutating func onlyTheNewestProgressWaits() {
        for count in 1...3 { news.tell(TransferProgress(bytesReceived: count)) }
        news.add(.content(Data("a".utf8)))
        #expect(take() == "3 a")
        news.tell(TransferProgress(bytesReceived: 4))
        #expect(take() == "4")
        news.tell(TransferProgress(bytesReceived: 5))
        news.end(.success(TransportResponse(status: 200)))
        news.tell(TransferProgress(bytesReceived: 6))
        #expect([take(), take()] == ["5 ends 200", nil])
    }

    @Test
    mutating func breakingOffComesBeforeAllThatWaits() {
        news.add(.content(Data("abc".utf8)))
        news.tell(TransferProgress(bytesReceived: 3))
        news.end(.success(TransportResponse(status: 200)))
        news.breakOff(CancellationError())
        #expect([take(), take()] == ["ends CancellationError", nil])
        #expect(news.isOver && news.waitingBytes == 0)
    }

    @Test
    mutating func bytesWaitUntilTheyAreTaken() {
        #expect(!news.hasItems)
        news.add(.content(Data("abc".utf8)))
        news.add(.content(Data("de".utf8)))
        #expect(news.waitingBytes == 5 && news.hasItems)
        _ = take()
        #expect(news.waitingBytes == 2)
        _ = take()
        #expect(news.waitingBytes == 0 && !news.hasItems)
    }

    private mutating func take() -> String? {
        guard let (progress, item) = news.take() else { return nil }
        let words: String? =
            switch item {
            case .part(.head(let status, _))?: "\(status)"
            case .part(.content(let data))?: String(decoding: data, as: UTF8.self)
            case .end(.success(let response))?: "ends \(response.status)"
            case .end(.failure(let error))?: "ends \(name(of: error))"
            case nil: nil
            }
        return [progress.map { "\($0.bytesReceived)" }, words].compactMap(\.self).joined(separator: " ")
    }
}
