import ClientTestSupport
import DemoServer
import Foundation
import HumonClient
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// HU-1 to HU-13: the client object, its session and its header fields.
@Suite(.timeLimit(.minutes(1)))
struct SigningTests {
    // HU-1
    @Test
    func theSharedClientIsMadeOnceAndOthersCanBeMade() async {
        let all = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<50 { group.addTask { ObjectIdentifier(Humon.shared) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(all.count == 1)
        #expect(Humon(StubTransport()) !== Humon.shared)
    }

    // HU-2, HU-3
    @Test(arguments: ["https://h.example/v1/", "https://h.example/v1"])
    func endpointsAreBelowTheVersionWithOrWithoutASlash(base: String) async throws {
        let server = StubTransport().on("*", .json(#"{"id": 1, "auth_token": "t", "message": ""}"#))
        let url = try #require(URL(string: base))
        let humon = Humon(baseURL: url, appSecret: Secret("s")) { $0.transport = server }
        try await humon.createUser()
        try await humon.createEvent(.party)
        try await humon.attend("1")
        _ = try await humon.fetchEvents(in: .boston)
        let paths = ["/v1/users", "/v1/events", "/v1/attendances", "/v1/events/nearests"]
        #expect(server.requests.map(\.url.path) == paths)
        #expect(Humon.staging.absoluteString == "https://humon-staging.herokuapp.com/v1/")
    }

    // HU-4, HU-5
    @Test
    func eachEditionHasItsTimeouts() {
        let usual = URLSessionConfiguration.ephemeral
        let devices = Humon(StubTransport(), edition: .devices).configuration
        #expect(devices.sessionConfiguration.timeoutIntervalForRequest == 30)
        #expect(devices.sessionConfiguration.timeoutIntervalForResource == 30)
        #expect(devices.timeout == 30)
        let users = Humon(StubTransport(), edition: .users).configuration.sessionConfiguration
        #expect(users.timeoutIntervalForRequest == usual.timeoutIntervalForRequest)
        #expect(users.timeoutIntervalForResource == usual.timeoutIntervalForResource)
    }

    // HU-6
    @Test(arguments: Engine.allCases)
    func everyRequestSendsAndAcceptsJSON(engine: Engine) async throws {
        try await withHumon { server, url in
            let humon = Humon(baseURL: url, appSecret: Secret("demo-secret"), configure: engine.select)
            _ = try await humon.fetchEvents(in: .boston)
            let fields = try #require(await server.log.headers.last)
            #expect(fields["accept"] == "application/json" && fields["content-type"] == "application/json")
        }
    }

    // HU-7, HU-8, HU-10
    @Test(arguments: [
        (HumonEdition.devices, HumonAccount(), "X-APP-SECRET", "demo-secret"),
        (HumonEdition.devices, HumonAccount.known(id: "7"), "X-DEVICE-TOKEN", "7"),
        (HumonEdition.users, HumonAccount(), "tb-app-secret", "demo-secret"),
        (HumonEdition.users, HumonAccount.known(token: "t"), "tb-auth-token", "t"),
    ])
    func aRequestCarriesTheSecretOrTheTokenAndNeverBoth(
        edition: HumonEdition,
        account: HumonAccount,
        field: String,
        value: String
    ) async throws {
        let server = StubTransport().on("*", .json("[]"))
        _ = try await Humon(server, edition: edition, account: account).fetchEvents(in: .boston)
        let headers = try #require(server.requests.first).headers
        let signing = ["X-APP-SECRET", "X-DEVICE-TOKEN", "tb-app-secret", "tb-auth-token"]
        #expect(signing.filter { headers.contains($0) } == [field])
        #expect(headers[field] == value)
    }

    // HU-8: a token without an identifier.
    @Test
    func aTokenWithoutAnIdentifierDoesNotSign() async throws {
        let account = HumonAccount()
        account.token = Secret("t")
        let server = StubTransport().on("*", .json("[]"))
        _ = try await Humon(server, account: account).fetchEvents(in: .boston)
        #expect(server.requests.first?.headers["tb-app-secret"] == "demo-secret")
    }

    // HU-10
    @Test
    func aCustomEditionHasItsOwnFields() async throws {
        let edition = HumonEdition(
            secretField: "X-Secret",
            tokenField: "X-Token",
            makeSession: { .ephemeral },
            proof: { $0.token }
        )
        let server = StubTransport().on("*", .json("[]"))
        _ = try await Humon(server, edition: edition).fetchEvents(in: .boston)
        #expect(server.requests.first?.headers["X-Secret"] == "demo-secret")
    }

    // HU-9, HU-16
    @Test(arguments: [HumonEdition.devices, .users], Engine.allCases)
    func aNewUsersTokenSignsTheNextRequest(edition: HumonEdition, engine: Engine) async throws {
        try await withHumon { server, url in
            let humon = Humon(
                baseURL: url,
                edition: edition,
                appSecret: Secret("demo-secret"),
                configure: engine.select
            )
            let user = try await humon.createUser()
            #expect(humon.account.userID == user.id && humon.account.token == user.token)
            try await humon.createEvent(.party)
            let fields = await server.log.headers
            #expect(fields.map { $0[edition.secretField.lowercased()] } == ["demo-secret", nil])
            #expect(fields.map { $0[edition.tokenField.lowercased()] } == [nil, user.token.reveal()])
        }
    }

    // HU-9: at the client's creation.
    @Test
    func aUserOfAnEarlierRunSignsFromTheStart() async throws {
        try await withHumon { _, url in
            let account = HumonAccount()
            try await Humon(baseURL: url, appSecret: Secret("demo-secret"), account: account).createUser()
            let next = Humon(baseURL: url, appSecret: Secret("demo-secret"), account: account)
            #expect(try await next.createEvent(.party) == "1")
        }
    }

    // HU-11, HU-12
    @Test
    func requestsInFlightEndWithTheirOldSession() async throws {
        let gate = Gate()
        let server = StubTransport().on(.get, "/v1/events/nearests", .json("[]").after(gate), times: 1)
            .on(.post, "/v1/users", .json(#"{"auth_token": "t", "id": 1}"#))
            .on("*", .json("[]"))
        let humon = Humon(server)
        async let early = humon.fetchEvents(in: .boston)
        await gate.arrivals(1)
        try await humon.createUser()
        _ = try await humon.fetchEvents(in: .boston)
        gate.open()
        _ = try await early
        let searches = server.requests(to: "/v1/events/nearests")
        #expect(searches.map { $0.headers["tb-app-secret"] } == ["demo-secret", nil])
        #expect(searches.map { $0.headers["tb-auth-token"] } == [nil, "t"])
    }

    // HU-11: seen by a delegate of the old session and the new one.
    @Test
    func theOldSessionEndsOnceItsTasksHaveEnded() async throws {
        try await withHumon { _, url in
            let watcher = SessionWatcher()
            let humon = Humon(baseURL: url, appSecret: Secret("demo-secret")) { $0.sessionDelegate = watcher }
            _ = try await humon.fetchEvents(in: .boston)
            #expect(watcher.heard == ["end of task"])
            try await humon.createUser()
            try await watcher.sessionEnd.wait()
            _ = try await humon.fetchEvents(in: .boston)
            let heard = ["end of task", "end of task", "end of session", "end of task"]
            #expect(watcher.heard == heard)
        }
    }

    // HU-12
    @Test(arguments: Engine.allCases)
    func requestsDuringTheSwapUseOneSessionOrTheOther(engine: Engine) async throws {
        try await withHumon { server, url in
            let humon = Humon(baseURL: url, appSecret: Secret("demo-secret"), configure: engine.select)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await humon.createUser() }
                for _ in 0..<20 { group.addTask { _ = try await humon.fetchEvents(in: .boston) } }
                try await group.waitForAll()
            }
            for fields in await server.log.headers {
                #expect((fields["tb-app-secret"] == nil) != (fields["tb-auth-token"] == nil))
            }
        }
    }

    // HU-13
    @Test
    func aRequestThatHasEndedKeepsNoClientAlive() async {
        let server = StubTransport().on("*", .json(#"{"auth_token": "t", "id": 1}"#))
        weak var gone: Humon?
        do {
            let humon = Humon(server)
            gone = humon
            _ = await value { done in humon.createUser { done($0) } }
        }
        await DispatchQueue.main.turn()
        #expect(gone == nil)
    }
}
