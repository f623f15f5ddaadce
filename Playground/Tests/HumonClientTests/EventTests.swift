import ClientTestSupport
import DemoServer
import Foundation
import HumonClient
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// HU-22 to HU-31, HU-38 and HU-39: events and attendances.
@Suite(.timeLimit(.minutes(1)))
struct EventTests {
    // HU-22, HU-24
    @Test
    func anEventIsSentAsContent() async throws {
        let server = StubTransport().on("*", .json(#"{"id": 3}"#))
        let humon = Humon(server)
        try await humon.createEvent(.party)
        try await humon.changeEvent("3", to: .party)
        #expect(server.log == ["POST /v1/events", "PATCH /v1/events/3"])
        let contents = server.requests.map { request in if case .data(let data) = request.body { data } else { Data() }
        }
        let text = #"{"lat":42.35,"lon":-71.06,"name":"Party","started_at":"2013-08-12T19:30:00.000Z"}"#
        for content in contents { #expect(try json(content) == json(Data(text.utf8))) }
    }

    // HU-23, HU-24
    @Test(arguments: [false, true])
    func anEventsNumberComesAsText(isChange: Bool) async throws {
        let humon = Humon(StubTransport().on("*", .json(#"{"id": 42}"#)))
        let result = await value { done in
            if isChange {
                humon.changeEvent("42", to: .party) { done($0) }
            } else {
                humon.createEvent(.party) { done($0) }
            }
        }
        #expect(try result.get() == "42")
    }

    // HU-23
    @Test(arguments: ["{}", #"{"id": null}"#, "[]", ""])
    func aResponseWithoutANumberIsAnError(content: String) async {
        let humon = Humon(StubTransport().on("*", .json(content)))
        let result = await value { done in humon.createEvent(.party) { done($0) } }
        guard case .failure(.decoding) = result else { Issue.record("\(result)"); return }
    }

    // HU-25
    @Test(arguments: Engine.allCases)
    func aRejectedEventIsAnErrorWithTheReason(engine: Engine) async throws {
        try await withHumon { _, url in
            let humon = Humon(baseURL: url, appSecret: Secret("demo-secret"), configure: engine.select)
            let stranger = await #expect(throws: SimpleNetworkingError.self) { try await humon.createEvent(.party) }
            #expect(stranger?.httpStatus == 401 && stranger?.response?.data.isEmpty == true)
            try await humon.createUser()
            var nameless = Event.party
            nameless.name = ""
            let invalid = await #expect(throws: SimpleNetworkingError.self) { try await humon.createEvent(nameless) }
            #expect(invalid?.httpStatus == 422)
            #expect(
                invalid?.humonProblem == HumonProblem(message: "Validation Failed", errors: ["Name can't be blank"])
            )
        }
    }

    // HU-26
    @Test
    func aSearchNamesThePlaceAndTheRadiusWithPoints() async throws {
        let server = StubTransport().on("*", .json("[]"))
        let region = Region(latitude: 42.5, longitude: -71.25, latitudeDelta: 0.5)
        _ = try await Humon(server).fetchEvents(in: region)
        let url = "https://humon-staging.herokuapp.com/v1/events/nearests?lat=42.5&lon=-71.25&radius=27.75"
        #expect(server.requests.first?.url.absoluteString == url)
    }

    // HU-27
    @Test(arguments: Engine.allCases)
    func aSearchReturnsEventsOrAMessage(engine: Engine) async throws {
        try await withHumon { _, url in
            let humon = Humon(baseURL: url, appSecret: Secret("demo-secret"), configure: engine.select)
            let before = await value { done in humon.fetchEvents(in: .boston) { done($0) } }
            #expect(try before.get().events.isEmpty && before.get().message == "No Events Found")
            try await humon.createUser()
            try await humon.createEvent(.party)
            let after = await value { done in humon.fetchEvents(in: .boston) { done($0) } }
            #expect(try after.get().events.map(\.name) == ["Party"] && after.get().message == nil)
        }
    }

    // HU-28
    @Test
    func aTopLevelListIsReturned() async throws {
        let response = try await Humon(StubTransport().on("*", .json("[1, 2]"))).send(SimpleNetworking.get("events"))
        #expect(response.jsonArray as? [Int] == [1, 2] && response.json == nil)
    }

    // HU-29
    @Test
    func aCancelledSearchEndsOnceWithCancelled() async {
        let gate = Gate()
        let humon = Humon(StubTransport().on("*", .json("[]").after(gate)))
        let calls = Calls()
        let first: Result<NearbyEvents, SimpleNetworkingError> = await value { done in
            let search = humon.fetchEvents(in: .boston) {
                calls.count += 1
                done($0)
            }
            search.cancel()
        }
        guard case .failure(.cancelled) = first else { Issue.record("\(first)"); return }
        gate.open()
        let second = await value { done in humon.fetchEvents(in: .boston) { done($0) } }
        await DispatchQueue.main.turn()
        #expect((try? second.get())?.events.isEmpty == true && calls.count == 1)
    }

    // HU-30
    @Test
    func anElementThatIsNoEventIsLeftOut() async throws {
        let good = #"{"id": 1, "name": "A", "lat": 1, "lon": 2, "started_at": "2013-08-12T19:30:00.000Z"}"#
        let list = #"[\#(good), {"id": 2}, null, 7, "x", [], {"id": 3, "name": "B", "lat": "?", "lon": 2}, \#(good)]"#
        let found = try await Humon(StubTransport().on("*", .json(list))).fetchEvents(in: .boston)
        #expect(found.events.map(\.id) == ["1", "1"])
    }

    // HU-31
    @Test(arguments: Engine.allCases)
    func anEventIsPublic(engine: Engine) async throws {
        try await withHumon { _, url in
            let humon = Humon(baseURL: url, appSecret: Secret("demo-secret"), configure: engine.select)
            let user = try await humon.createUser()
            let id = try await humon.createEvent(.party)
            let stranger = Humon(baseURL: url, appSecret: Secret("wrong"), configure: engine.select)
            let event = try await stranger.fetchEvent(id)
            #expect(event.name == "Party" && event.owner?.id == user.id && event.startedAt == Event.party.startedAt)
        }
    }

    // HU-38
    @Test
    func anAttendanceNamesTheEventByItsNumber() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let humon = Humon(server)
        let (error, isMain) = await value { done in humon.attend("5") { done(($0, DispatchQueue.isMain)) } }
        #expect(error == nil && isMain)
        #expect(server.log == ["POST /v1/attendances"])
        guard case .data(let content)? = server.requests.first?.body else { Issue.record("no content"); return }
        #expect(String(bytes: content, encoding: .utf8) == #"{"event":{"id":5}}"#)
        let refused = Humon(StubTransport().on("*", .status(401)))
        let refusal = await value { done in refused.attend("5") { done($0) } }
        #expect(refusal?.httpStatus == 401)
    }

    // HU-39
    @Test
    func aSecondAttendanceChangesNothing() async throws {
        try await withHumon { _, url in
            let humon = Humon(baseURL: url, appSecret: Secret("demo-secret"))
            try await humon.createUser()
            let id = try await humon.createEvent(.party)
            try await humon.attend(id)
            let again = SimpleNetworking.post("attendances", body: ["event": ["id": 1]])
            #expect(try await humon.send(again).json?["attendances"] as? Int == 1)
        }
    }
}

/// A JSON object that can be compared.
func json(_ data: Data) throws -> NSDictionary? { try JSONSerialization.jsonObject(with: data) as? NSDictionary }
