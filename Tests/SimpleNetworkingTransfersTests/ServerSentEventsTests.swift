import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

@Suite(.timeLimit(.minutes(5)))
struct ServerSentEventsTests {
    private let head = RequestHead(url: URL(fileURLWithPath: "/events"))

    @Test
    func eventsComeAsTheyAreWhereverTheChunksEnd() async {
        let stream = Data(
            "\u{FEFF}retry: 250\r\n\r\nid: 7\r\nevent: add\r\ndata: ä\r\ndata: €\r\n\r\ndata\n\ndata: x\n".utf8
        )
        let events = [
            ServerSentEvent(event: "add", data: "ä\n€", id: "7", retry: 0.25),
            ServerSentEvent(data: "", id: "7", retry: 0.25),
        ]
        for chunks in stream.everyCut {
            let (found, error) = await RequestSequence.events(Chunks(chunks)).all()
            #expect(found == events)
            #expect(error == nil)
        }
    }

    @Test(arguments: [
        ("data:1\n\ndata:12345678\n\n", StreamFailure.lineTooLong(limit: 10, line: 3)),
        ("data:1\n\ndata:12345\ndata:6789\ndata:0\n\n", .eventTooLong(limit: 10, line: 5)),
        (":\ndata:1\n\n:12345678901", .lineTooLong(limit: 10, line: 4)),
    ])
    func whatIsTooLongEndsTheEventsWithAnErrorThatSaysWhere(stream: String, failure: StreamFailure) async {
        let response = SimpleResponse(request: head)
        for chunks in Data(stream.utf8).everyCut {
            let events = RequestSequence.events(Chunks(chunks), maxLength: 10, response: response)
            let (found, error) = await events.all()
            #expect(found.map(\.data) == ["1"])
            guard case SimpleNetworkingError.failed(let cause, let head, let reply)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(cause as? StreamFailure == failure)
            #expect(head == self.head)
            #expect(reply?.httpStatus == 200)
        }
    }
}
