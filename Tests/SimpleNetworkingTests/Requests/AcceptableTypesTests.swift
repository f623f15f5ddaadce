import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// The media types that a request accepts.
@Suite(.timeLimit(.minutes(5)))
struct AcceptableTypesTests {
    private static func isRefused(_ end: Result<SimpleResponse, SimpleNetworkingError>) -> Bool {
        if case .unacceptableContentType? = end.error { true } else { false }
    }

    @Test(
        arguments: [
            ("application/json", ["application/json"], true),
            ("Application/JSON; charset=utf-8", ["application/json"], true),
            ("application/json", ["application/json; charset=utf-8"], true),
            ("text/html", ["application/json", "TEXT/*"], true),
            ("text/html", ["*/*"], true),
            (nil, ["*/*"], true),
            ("text/html", ["application/json"], false),
            ("application/json5", ["application/json"], false),
            ("application/problem+json", ["application/json"], false),
            ("textual/html", ["text/*"], false),
            ("html", ["text/*"], false),
            ("", ["application/json"], false),
            (nil, ["application/json", "text/*"], false),
            ("text/html, application/json", ["application/json"], true),
            ("application/json, text/html", ["application/json"], false),
        ] as [(String?, [String], Bool)]
    )
    func contentMustHaveOneOfThem(type: String?, acceptable: [String], isAccepted: Bool) async throws {
        let headers: KeyValuePairs = type.map { ["Content-Type": $0] } ?? [:]
        let server = try RawServer { _ in .response(headers: headers, body: "{}") }
        let types = acceptable.map { MediaType(rawValue: $0) }
        let end = await SimpleNetworking(of: server).get("/") { $0.acceptable(types: types) }.ended()
        #expect(end.value?.text == (isAccepted ? "{}" : nil))
        #expect(Self.isRefused(end) == !isAccepted)
        #expect(end.error?.response?.text == (isAccepted ? nil : "{}"))
    }

    @Test(
        arguments: [
            .response(status: 204), .response(status: 205), .response(status: 200),
            .response(headers: ["Content-Type": "text/html"]),
        ] as [RawServer.Reply]
    )
    func aResponseWithoutContentHasNoTypeToCheck(reply: RawServer.Reply) async throws {
        let server = try RawServer { _ in reply }
        let end = await SimpleNetworking(of: server).get("/") { $0.acceptable(types: [.json]) }.ended()
        #expect(end.value?.data.isEmpty == true)
    }

    @Test
    func aHeadHasNoContentWhateverItsFieldsSay() async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Type": "text/html"], body: "<html>") }
        let end = await SimpleNetworking(of: server).head("/") { $0.acceptable(types: [.json]) }.ended()
        #expect(end.value?.headers["Content-Type"] == "text/html")
    }

    @Test
    func anUnacceptableStatusComesFirst() async throws {
        let server = StubTransport().on("*", .text("<html>", status: 404))
        let end = await SimpleNetworking(over: server).get("/") { $0.acceptable(types: [.json]) }.ended()
        #expect(end.error?.httpStatus == 404 && !Self.isRefused(end))
    }

    @Test
    func aHookThatAcceptsEveryResponseLeavesTheTypeToTheRequest() async throws {
        final class Lenient: SimpleNetworking, @unchecked Sendable {
            override func validate(_ response: SimpleResponse) throws {}
        }
        let client = Lenient(host: "api.example.com") { $0.transport = StubTransport().on("*", .text("<html>")) }
        #expect(await client.get("/").ended().value?.text == "<html>")
        #expect(Self.isRefused(await client.get("/") { $0.acceptable(types: [.json]) }.ended()))
    }

    @Test
    func handlersSeeTheResponseInTheirOrder() async throws {
        let order = Recorder<String>()
        let server = StubTransport().on("*", .text("<html>"))
        await SimpleNetworking(over: server).get("/") { request in
            request.acceptable(types: [.json])
                .on(success: { _ in order.add("success") })
                .on(
                    httpStatus: 200,
                    { _, response in
                        order.add("status \(response.text ?? "")")
                        return true
                    }
                )
                .on(error: { error in order.add("error \(error.httpStatus ?? 0)") })
        }
        .ended()
        #expect(order.elements == ["status <html>", "error 200"])
    }

    @Test(arguments: [([], "no content type"), (["text/*", "json"], "“json”"), (["text/"], "“text/”")])
    func aListThatCanMatchNothingIsAnError(types: [String], reason: String) async throws {
        let server = StubTransport().on("*", .json("{}"))
        let types = types.map { MediaType(rawValue: $0) }
        let end = await SimpleNetworking(over: server).get("/") { $0.acceptable(types: types) }.ended()
        guard case .invalidRequest(let found, _)? = end.error else { throw Surprise("\(end)") }
        #expect(found.contains(reason) && server.log.isEmpty)
    }

    @Test
    func theErrorNamesWhatCameAndWhatIsAcceptable() async throws {
        let server = try RawServer { request in
            .response(headers: request.path == "/typed" ? ["Content-Type": "text/html"] : [:], body: "<html>")
        }
        for (path, words) in [("/typed", "is “text/html”"), ("/untyped", "is missing")] {
            let end = await SimpleNetworking(of: server).get(path) { $0.acceptable(types: [.json, "image/*"]) }.ended()
            let expected = "but its Content-Type \(words). Acceptable types: application/json, image/*."
            #expect(end.error?.description.hasSuffix(expected) == true)
        }
    }
}
