import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Errors as URLSession's users know them.
struct URLErrorTests {
    private let server = StubTransport()

    @Test(arguments: [
        (NetworkFailure.Kind.cannotFindHost, URLError.Code.cannotFindHost), (.cannotConnect, .cannotConnectToHost),
        (.connectionLost, .networkConnectionLost), (.offline, .notConnectedToInternet),
        (.tls, .secureConnectionFailed), (.malformedResponse, .badServerResponse),
        (.unreadableBody, .requestBodyStreamExhausted), (.other, .unknown),
    ])
    func eachKindOfFailureHasACode(kind: NetworkFailure.Kind, code: URLError.Code) async throws {
        server.on("*", .failure(NetworkFailure(kind)))
        let error = try #require(await SimpleNetworking(over: server).get("/x").ended().error)
        let converted = try #require(error.urlError)
        #expect(converted.code == code)
        #expect(converted.failingURL == URL(string: "https://api.example.com/x"))
        #expect(converted.localizedDescription == error.description)
    }

    @Test
    func theEnginesOwnErrorIsKept() async throws {
        let own = URLError(.callIsActive)
        server.on("*", .failure(NetworkFailure(.offline, underlying: own)))
        #expect(await SimpleNetworking(over: server).get("/x").ended().error?.urlError?.code == .callIsActive)
    }

    @Test
    func aStatusHasNone() async {
        server.on("*", .status(404))
        #expect(await SimpleNetworking(over: server).get("/x").ended().error?.urlError == nil)
    }

    @Test
    func theOthersWithAMatchHaveIt() throws {
        let head = RequestHead(method: .get, url: try #require(URL(string: "https://e.com")), headers: [:])
        #expect(SimpleNetworkingError.timedOut(.deadline(1), head).urlError?.code == .timedOut)
        #expect(SimpleNetworkingError.cancelled(nil).urlError?.code == .cancelled)
        #expect(SimpleNetworkingError.invalidURL("x", reason: "y").urlError?.code == .badURL)
        #expect(SimpleNetworkingError.tooLarge(limit: 1, head).urlError?.code == .dataLengthExceedsMaximum)
    }
}
