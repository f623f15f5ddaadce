import ClientTestSupport
import DemoServer
import Foundation
import HumonClient
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// HU-14 to HU-21: creating the user.
@Suite(.timeLimit(.minutes(1)))
struct UserCreationTests {
    // HU-14
    @Test(arguments: Engine.allCases)
    func aUserIsCreatedByAPostWithoutContent(engine: Engine) async throws {
        try await withHumon { server, url in
            let humon = Humon(baseURL: url, appSecret: Secret("demo-secret"), configure: engine.select)
            try await humon.createUser()
            #expect(await server.log.headers(of: "POST /humon/v1/users")?["content-length"] == "0")
        }
    }

    // HU-15
    @Test(arguments: [
        (#"{"auth_token": "t", "id": 12}"#, "12", "t"), (#"{"device_token": "d"}"#, "d", "d"),
        (#"{"auth_token": "t", "id": "a1"}"#, "a1", "t"),
    ])
    func theResponseHasTheUserAndTheToken(response: String, id: String, token: String) async throws {
        let user = try await Humon(StubTransport().on("*", .json(response))).createUser()
        #expect(user.id == id && user.token == Secret(token))
    }

    // HU-16
    @Test
    func theUserIsKnownAndSignsBeforeTheCompletionRuns() async {
        let server = StubTransport().on(.post, "/v1/users", .json(#"{"auth_token": "t", "id": 1}"#)).on(
            "*",
            .json("[]")
        )
        let humon = Humon(server)
        let known = await value { done in
            humon.createUser { _ in
                let fields = humon.configuration.sessionConfiguration.httpAdditionalHeaders
                done((humon.account.userID, humon.account.token, fields?["tb-auth-token"] as? String))
            }
        }
        #expect(known == ("1", Secret("t"), "t"))
    }

    // HU-17
    @Test(arguments: [
        "", "not JSON", "[]", "null", "7", #"{"id": 1}"#, #"{"auth_token": null, "id": 1}"#,
        #"{"auth_token": 5, "id": 1}"#, #"{"auth_token": "t"}"#,
    ])
    func aResponseWithoutAUserIsAnErrorAndChangesNothing(content: String) async {
        let humon = Humon(StubTransport().on("*", .text(content)))
        let result = await value { done in humon.createUser { done($0) } }
        guard case .failure(.decoding) = result else { Issue.record("\(result)"); return }
        #expect(humon.account.userID == nil && humon.account.token == nil)
        let fields = humon.configuration.sessionConfiguration.httpAdditionalHeaders
        #expect(fields?["tb-app-secret"] as? String == "demo-secret" && fields?["tb-auth-token"] == nil)
    }

    // HU-17, over a socket.
    @Test(arguments: Engine.allCases)
    func aServerThatForgetsTheTokenIsAnError(engine: Engine) async throws {
        try await withHumon { _, url in
            let humon = Humon(baseURL: url, appSecret: Secret("tokenless-secret"), configure: engine.select)
            await #expect(throws: SimpleNetworkingError.self) { try await humon.createUser() }
            #expect(!humon.account.isLoggedIn)
        }
    }

    // HU-18
    @Test(arguments: [200, 404])
    func theCompletionRunsOnceOnTheMainQueue(status: Int) async {
        let server = StubTransport().on("*", .json(#"{"auth_token": "t", "id": 1}"#, status: status))
        let humon = Humon(server)
        let calls = Calls()
        let isMain = await value { done in
            humon.createUser { _ in
                calls.count += 1
                done(DispatchQueue.isMain)
            }
        }
        await DispatchQueue.main.turn()
        #expect(isMain && calls.count == 1)
    }

    // HU-19
    @Test(arguments: Engine.allCases)
    func aWrongSecretIsAnError(engine: Engine) async throws {
        try await withHumon { _, url in
            let humon = Humon(baseURL: url, appSecret: Secret("wrong"), configure: engine.select)
            let result = await value { done in humon.createUser { done($0) } }
            guard case .failure(.clientError(let response)) = result else { Issue.record("\(result)"); return }
            #expect(response.httpStatus == 404 && response.data.isEmpty)
            #expect(!humon.account.isLoggedIn)
        }
    }

    // HU-20
    @Test
    func theServersReasonIsInTheError() async throws {
        let problem = #"{"message": "Validation Failed", "errors": ["Token is taken", "Id is taken"]}"#
        let humon = Humon(StubTransport().on("*", .json(problem, status: 422)))
        let error = await #expect(throws: SimpleNetworkingError.self) { try await humon.createUser() }
        #expect(error?.humonProblem?.message == "Validation Failed")
        #expect(error?.humonProblem?.errors == ["Token is taken", "Id is taken"])
    }

    // HU-21
    @Test
    func theMapCreatesAUserOnlyIfThereIsNone() async throws {
        try await withHumon { server, url in
            let humon = Humon(baseURL: url, appSecret: Secret("demo-secret"))
            _ = try await humon.openMap(on: .boston)
            _ = try await humon.openMap(on: .boston)
            let asked = await server.log.lines.map { $0.prefix { $0 != "?" } }
            #expect(asked == ["POST /humon/v1/users"] + Array(repeating: "GET /humon/v1/events/nearests", count: 2))
        }
    }
}

/// Counts on one queue.
final class Calls: @unchecked Sendable { var count = 0 }
