import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// Requests that go on after their user has changed, in places that have a way of their own.
@Suite(.timeLimit(.minutes(1)))
struct FormerUserTests {
    private let gate = Gate()
    private let server = StubTransport()
    private let jar = CookieJar()

    private func setCookie(_ user: String, of client: SimpleNetworking) {
        jar.store(["Set-Cookie": "sid=\(user); Path=/"], from: client.baseURL)
    }

    /// The redirected request has no content, and so is no upload any more.
    @Test(arguments: ["field", "cookie"])
    func aRedirectedUploadGoesOnWithoutItsUser(user: String) async {
        server.on(.post, "/films", .redirect(to: "/films/1", status: 303).after(gate)).on("*", .json("{}"))
        let client = SimpleNetworking(over: server) { if user == "cookie" { $0.cookieJar = jar } }
        func signIn(_ name: String) {
            if user == "field" { client.headers["Authorization"] = name } else { setCookie(name, of: client) }
        }
        signIn("ada")
        let upload = client.post("/films") { $0.body(data: .film, contentType: .text).resumesUpload() }
        await gate.arrivals(1)
        if user == "field" { client.signOut() } else { jar.removeAll() }
        signIn("bob")
        gate.open()
        #expect(await upload.ended().value != nil)
        let proofs = server.requests.map { $0.headers["Authorization"] ?? $0.headers["Cookie"] }
        #expect(proofs == [user == "field" ? "ada" : "sid=ada", nil])
    }

    /// A completion handler executes its request again, and then the user changes.
    @Test
    func aQueuedExecutionIsNotSentForTheNextUserOfTheJar() async {
        server.on("/a", .json("{}"))
        let client = SimpleNetworking(over: server) { $0.cookieJar = jar }
        setCookie("ada", of: client)
        let ends = Recorder<String>()
        let isOver = Gate()
        let request = SimpleNetworking.get("/a")
        request.on(completion: { [weak request] (result: Outcome) in
            ends.add(result.error == nil ? "success" : "error")
            if ends.elements.count > 1 { return isOver.open() }
            request?.execute(on: client)
            jar.removeAll()
            setCookie("bob", of: client)
        })
        request.execute(on: client)
        try? await isOver.wait()
        #expect(ends.elements == ["success", "error"])
        #expect(server.requests.map { $0.headers["Cookie"] } == ["sid=ada"])
    }

    /// The upload's URL is for the user who has begun it.
    @Test
    func anUploadThatIsRetriedOnAnotherClientBeginsAnew() async {
        server.on(.post, "/films", .cut(offering: "/uploads/7"), times: 1)
            .on(.head, "/uploads/7", .status(403))
            .on(.post, "/films", .status(201))
        func client(_ user: String) -> SimpleNetworking {
            server.resumingClient { $0.defaultHeaders["Authorization"] = user }
        }
        let (first, second) = (client("ada"), client("bob"))
        let upload = SimpleRequest.film().on(httpStatus: 403) { request, _ in
            request.retry(on: second)
            return false
        }
        #expect(await upload.execute(on: first).ended().value?.httpStatus == 201)
        #expect(
            server.requests.map { "\($0.method) \($0.headers["Authorization"] ?? "")" }
                == ["POST ada", "HEAD ada", "POST bob"]
        )
    }
}
