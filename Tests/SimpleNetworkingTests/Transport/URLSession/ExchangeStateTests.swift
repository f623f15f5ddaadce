import Foundation
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite
struct ExchangeStateTests {
    @Test
    func contentThatIsSentTwiceCountsOnce() throws {
        var state = ExchangeState(try request { $0.body = .data(Data("12345".utf8)) })
        var seen: [Int?] = []
        for count in [3, 5, 8] {
            state.send(count)
            seen.append(state.events.take()?.progress?.bytesSent)
        }
        #expect(seen == [3, 5, nil])
    }

    @Test
    func aSecondHeadReplacesTheContentOfTheFirst() throws {
        var state = ExchangeState(try request())
        for (status, text) in [(401, "who?"), (200, "hello")] {
            let continues = [state.receive(try head(status)), state.receive(Data(text.utf8))]
            #expect(continues == [true, true])
        }
        state.finish(nil)
        guard case .end(.success(let response))? = state.events.take()?.item else {
            Issue.record("no response")
            return
        }
        #expect(response.httpStatus == 200 && response.text == "hello")
        #expect(response.metrics.bytesReceived == 5)
    }

    @Test
    func aStreamGetsAResponseThatWasOnlyReportedAtItsEnd() throws {
        var state = ExchangeState(try request { $0.sink = .stream { _ in } })
        _ = state.receive(Data("all".utf8))
        state.finish(try head(200))
        var items: [String] = []
        while let item = state.events.take()?.item {
            switch item {
            case .interim(let status, _): items.append("interim \(status)")
            case .part(.head(let status, _)): items.append("\(status)")
            case .part(.content(let data)): items.append(String(decoding: data, as: UTF8.self))
            case .end(let outcome): items.append(try outcome.get().text)
            }
        }
        #expect(items == ["200", "all", ""])
    }

    @Test(arguments: [true, false])
    func theContentOfARedirectThatIsFollowedIsNotKept(isFollowed: Bool) throws {
        var state = ExchangeState(
            try request {
                $0.followsRedirects = isFollowed
                $0.maxResponseSize = 1 << 20
            }
        )
        let piece = Data(repeating: 97, count: 40 << 10)
        #expect(state.receive(try head(302, ["Location": "/there", "Content-Length": "9999999999"])) == isFollowed)
        guard isFollowed else { return }
        let continues = [state.receive(piece), state.receive(piece)]
        #expect(continues == [true, false])
        guard case .end(.success(let response))? = state.events.take()?.item else {
            Issue.record("no response")
            return
        }
        #expect(response.httpStatus == 302 && response.data.isEmpty)
    }

    private func request(_ change: (inout TransportRequest) -> Void = { _ in }) throws -> TransportRequest {
        var request = TransportRequest(head: RequestHead(url: try #require(URL(string: "http://127.0.0.1/"))))
        request.progress = { _ in }
        change(&request)
        return request
    }

    private func head(_ status: Int, _ fields: [String: String] = [:]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        return try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields))
    }
}
