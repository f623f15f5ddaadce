import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Retries together with rejected credentials and event streams.
@Suite(.timeLimit(.minutes(1)))
struct RetryPairTests {
    private let server = StubTransport()
    private let events = Recorder<String>()
    private let atOnce = RetryPolicy(attempts: 2, backoff: .constant(0))

    @Test
    func aPolicyRetriesWhatAReauthenticationSentAgain() async throws {
        server.on("/x", .replies(.status(503), .status(401), .status(503), .json("{}")))
        let client = SimpleNetworking(over: server) { [atOnce] in $0.retryPolicy = atOnce }
        let request = client.get("/x") { [events] request in
            request.on(httpStatus: 401) { request, _ in
                client.reauthenticate(request) { done in
                    events.add("refresh")
                    client.headers["Authorization"] = "Bearer new"
                    done()
                }
                return false
            }
        }
        #expect(await request.ended().value != nil, "\(request.trace)")
        #expect(events.elements == ["refresh"])
        let new = "Bearer new"
        #expect(server.requests.map { $0.headers["Authorization"] } == [nil, nil, new, new])
    }

    /// Otherwise, events would arrive twice.
    @Test(arguments: [true, false])
    func aPolicyRetriesAnEventStreamOnlyUntilItsHeadArrives(isCut: Bool) async throws {
        let stream = StubResponse.events("a", "b")
        server.on("/news", .status(503), times: 1).on("/news", isCut ? stream.cut(after: 9) : stream)
        let client = SimpleNetworking(over: server) { [atOnce] in
            $0.retryPolicy = atOnce
            $0.retryPolicy.attempts = 5
        }
        let read = await client.events(for: SimpleNetworking.get("/news")).all()
        #expect(read.elements.map(\.data) == (isCut ? ["a"] : ["a", "b"]))
        #expect((read.error != nil) == isCut)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [true, false])
    func aHandlerForARejectionRunsOnlyIfTheRefreshHasNotHelped(helps: Bool) async throws {
        server.on("/x") { $0.headers["Authorization"] == "Bearer new" && helps ? .json("{}") : .status(401) }
        let client = SimpleNetworking(over: server) { [events] in
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in
                events.add("refresh")
                return Secret("new")
            }
        }
        let request = client.get("/x") { [events] request in
            request.on(httpStatus: 401) { _, response in
                events.add("handler")
                return true
            }
        }
        #expect(await request.ended().error?.httpStatus == (helps ? nil : 401))
        #expect(events.elements == (helps ? ["refresh"] : ["refresh", "handler"]))
        #expect(server.requests.count == 2)
    }

    /// A refreshed credential that is rejected is a reason for no other refresh.
    @Test
    func aRefreshThatHasNotHelpedIsNotFollowedByAReauthentication() async throws {
        server.on("/x") { $0.headers["X-Session"] == "1" ? .json("{}") : .status(401) }
        let client = SimpleNetworking(over: server) { [events] in
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in
                events.add("refresh")
                return Secret("new")
            }
        }
        let request = client.get("/x") { [events] request in
            request.on(httpStatus: 401) { request, _ in
                client.reauthenticate(request) { done in
                    events.add("reauthentication")
                    client.headers["X-Session"] = "1"
                    done()
                }
                return false
            }
        }
        #expect(await request.ended().error?.httpStatus == 401)
        #expect(events.elements == ["refresh"])
        // The handler's refusal has the generation with which the attempt began, before the authenticator's refresh.
        withKnownIssue("the rejected credential is sent once more") {
            #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
        }
    }
}
