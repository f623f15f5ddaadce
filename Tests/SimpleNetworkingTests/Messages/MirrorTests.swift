import Foundation
import SimpleNetworkingCore
import Testing

/// What `dump` shows of values that a user holds.
struct MirrorTests {
    private let head = RequestHead(
        method: .post,
        url: URL(string: "https://u:s3cret@example.com/x?access_token=s3cret&page=2") ?? URL(fileURLWithPath: "/"),
        headers: ["Authorization": "s3cret", "X-Plain": "hello"]
    )

    private func text(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        return text
    }

    @Test
    func noDumpShowsASecret() throws {
        let response = SimpleResponse(
            request: head,
            httpStatus: 403,
            headers: ["Set-Cookie": "s3cret", "X-Plain": "hello"]
        )
        let transport = TransportRequest(head: head)
        let values: [Any] = [
            head, head.headers, response, SimpleNetworkingError.clientError(response), transport,
            SimpleNetworkingError.networkingError(NetworkFailure(.offline), head), [head], Optional(head) as Any,
            try #require(head.headers.first),
        ]
        for value in values { #expect(!text(value).contains("s3cret"), "\(type(of: value))") }
    }

    @Test
    func aDumpShowsValuesThatAreNotSecret() throws {
        for part in ["POST", "page=2", "X-Plain", "hello", "‹secret›"] { #expect(text(head).contains(part)) }
        let field = try #require(head.headers.last)
        #expect("\(field)" == "X-Plain: hello")
    }
}
