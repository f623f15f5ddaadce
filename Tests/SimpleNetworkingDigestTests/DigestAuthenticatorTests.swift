import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingDigest

/// Signs in by Digest authentication, through all that a request passes.
@Suite(.timeLimit(.minutes(2)))
struct DigestAuthenticatorTests {
    private func client(_ server: some Transport, password: String = "open sesame") -> SimpleNetworking {
        SimpleNetworking(over: server) { $0.authenticator = DigestAuthenticator(user: "ada", password: password) }
    }

    @Test
    func theFirstRequestIsChallengedAndLaterOnesAreSignedAtOnce() async throws {
        let server = DigestServer()
        let client = client(server)
        let refusals = Recorder<Int>()
        for _ in 0..<3 {
            let request = client.get("/x?a=%20b") {
                $0.on(httpStatus: 401) { _, response in
                    refusals.add(response.httpStatus)
                    return true
                }
            }
            #expect(await request.ended().value?.text == "welcome")
        }
        #expect(server.log == ["unsigned", "n1:00000001", "n1:00000002", "n1:00000003"])
        #expect(refusals.elements.isEmpty)
    }

    @Test
    func anExpiredNonceIsReplaced() async throws {
        let server = DigestServer()
        let client = client(server)
        #expect(await client.get("/x").ended().value != nil)
        server.expire()
        #expect(await client.post("/x", body: ["a": 1]).ended().value != nil)
        #expect(server.log == ["unsigned", "n1:00000001", "stale", "n2:00000001"])
    }

    @Test
    func aWrongPasswordEndsWithThe401() async throws {
        let server = DigestServer()
        let client = client(server, password: "guess")
        for _ in 0..<2 { #expect(await client.get("/x").ended().error?.httpStatus == 401) }
        // The second request is signed, and refused once: its resource has refused a newer credential, too.
        #expect(server.log == ["unsigned", "refused", "refused"])
    }

    @Test
    func manyRequestsAtOnceShareAChallenge() async throws {
        let server = DigestServer()
        let client = client(server)
        let requests = (0..<50).map { client.get("/\($0)") }
        for request in requests { #expect(await request.ended().value != nil, "\(request.trace)") }
        let counts = server.log.filter { $0.hasPrefix("n") }
        #expect(Set(counts).count == 50)
    }

    @Test
    func anotherOriginGetsNoSignature() async throws {
        let challenge: HTTPHeaders = ["WWW-Authenticate": #"Digest realm="a", nonce="n""#]
        let server = StubTransport().on("*", .status(401, headers: challenge))
        let client = client(server)
        #expect(await client.get("https://other.example/x").ended().error?.httpStatus == 401)
        #expect(server.requests.count == 1)
        #expect(server.requests[0].headers["Authorization"] == nil)
    }

    @Test(arguments: ["a:b", "a\nb"])
    func aNameThatCannotBeSentEndsBeforeAnythingIsSent(user: String) async throws {
        let server = DigestServer()
        let client = SimpleNetworking(over: server) {
            $0.authenticator = DigestAuthenticator(user: user, password: "p")
        }
        guard case .authentication? = await client.get("/x").ended().error else { throw Surprise("another end") }
        #expect(server.log.isEmpty)
    }

    @Test
    func theSignatureIsHiddenInTexts() async throws {
        let request = client(DigestServer()).get("/x")
        #expect(await request.ended().value != nil)
        #expect(!request.trace.description.contains("nonce"))
        #expect(!String(reflecting: request).contains("open sesame"))
    }

    private static func challenge(_ nonce: String, _ more: String = "") -> StubResponse {
        .status(401, headers: ["WWW-Authenticate": #"Digest realm="a", qop="auth", nonce="\#(nonce)""# + more])
    }

    @Test
    func aNonceThatExpiresAgainIsReplacedAgain() async {
        let stale = ", stale=true"
        let server = StubTransport().on(
            "*",
            .replies(Self.challenge("1"), Self.challenge("2", stale), Self.challenge("3", stale), .json("{}"))
        )
        #expect(await client(server).get("/x").ended().value != nil)
    }

    @Test
    func expiredNoncesUseUpNoLimit() async {
        let server = StubTransport()
        for number in 0..<20 {
            server.on("/\(number)", .replies(Self.challenge("\(number)", ", stale=true"), .json("{}")))
        }
        let client = client(server)
        for number in 0..<20 { #expect(await client.get("/\(number)").ended().value != nil) }
    }

    @Test
    func aNonceThatTheServerKeepsIsCountedOn() async {
        let server = StubTransport().on(
            "*",
            .replies(Self.challenge("1"), .json("{}"), Self.challenge("1"), .json("{}"))
        )
        let client = client(server)
        for path in ["/x", "/y"] { #expect(await client.get(path).ended().value != nil) }
        let counts = server.requests.compactMap {
            $0.headers["Authorization"]?.components(separatedBy: "nc=").last?.prefix(8)
        }
        #expect(counts == ["00000001", "00000002", "00000003"])
    }
}

/// A server that knows one user, and takes each count of a nonce once.
private final class DigestServer: Transport {
    fileprivate struct State {
        var nonce = 1
        var counts: Set<String> = []
        var log: [String] = []
    }

    private let state = Locked(State())

    var log: [String] { state.withLock { $0.log } }

    func expire() { state.withLock { $0.nonce += 1 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        state.withLock { state in
            guard let field = request.headers["Authorization"] else { return state.refuse("unsigned") }
            guard field.contains("nonce=\"n\(state.nonce)\"") else { return state.refuse("stale", ", stale=true") }
            let count = Self.parameter("nc", of: field)
            let target = request.url.path + (request.url.query(percentEncoded: true).map { "?" + $0 } ?? "")
            let expected = state.challenge.flatMap {
                DigestChallenge(["WWW-Authenticate": $0])?.response(
                    of: .init(name: "ada", password: Secret("open sesame")),
                    to: request.head.method,
                    target,
                    count: UInt32(count, radix: 16) ?? 0,
                    clientNonce: Self.parameter("cnonce", of: field)
                )
            }
            guard field == expected, state.counts.insert("\(state.nonce) \(count)").inserted else {
                return state.refuse("refused")
            }
            state.log.append("n\(state.nonce):\(count)")
            return TransportResponse(httpStatus: 200, data: Data("welcome".utf8))
        }
    }

    private static func parameter(_ name: String, of field: String) -> String {
        let rest = field.components(separatedBy: " \(name)=").last ?? ""
        return rest.prefix { $0 != "," }.trimmingCharacters(in: ["\""])
    }
}

extension DigestServer.State {
    fileprivate var challenge: String? { #"Digest realm="a", nonce="n\#(nonce)", qop="auth", algorithm=SHA-256"# }

    fileprivate mutating func refuse(_ entry: String, _ parameters: String = "") -> TransportResponse {
        log.append(entry)
        return TransportResponse(httpStatus: 401, headers: ["WWW-Authenticate": (challenge ?? "") + parameters])
    }
}
