import Foundation
import HumonClient
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// HU-32 to HU-37: events as JSON, their equality and the map.
@Suite(.timeLimit(.minutes(1)))
struct ModelTests {
    private static let fixture = """
        {"id": 9, "name": "Picnic", "address": "Common", "lat": 42.25, "lon": -71.5, "owner": {"id": 3},
         "started_at": "2013-08-12T19:30:00.123Z", "ended_at": "2013-08-12T21:00:00.000Z"}
        """

    /// The content that is sent for an event.
    private func sent(
        _ event: Event,
        edition: HumonEdition = .users,
        account: HumonAccount = .known()
    ) async throws
        -> [String: Any]
    {
        let server = StubTransport().on("*", .json(#"{"id": 1}"#))
        try await Humon(server, edition: edition, account: account).createEvent(event)
        guard case .data(let data)? = server.requests.first?.body else { return [:] }
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    private func received(_ text: String) async throws -> Event {
        try await Humon(StubTransport().on("*", .json(text))).fetchEvent("1")
    }

    // HU-32
    @Test
    func missingPropertiesAreNotSent() async throws {
        let keys = try await sent(.party).keys.sorted()
        #expect(keys == ["lat", "lon", "name", "started_at"])
        let before = Date()
        let event = Event(name: "A", latitude: 0, longitude: 0, address: "B", endedAt: Date(), id: "5")
        #expect(event.startedAt >= before && event.startedAt <= Date())
        let full = try await sent(event)
        #expect(full.keys.sorted() == ["address", "ended_at", "id", "lat", "lon", "name", "started_at"])
        #expect(full["id"] as? Int == 5 && full["end_at"] == nil)
    }

    // HU-32
    @Test
    func theEditionOfDevicesNamesTheDevice() async throws {
        let content = try await sent(.party, edition: .devices, account: .known(id: "d", token: "d"))
        #expect(content["user"] as? [String: String] == ["device_token": "d"])
    }

    // HU-33
    @Test
    func anEventIsDecodedWithOwnerAndAttendees() async throws {
        let event = try await received(Self.fixture)
        #expect(event.id == "9" && event.owner?.id == "3" && event.address == "Common" && event.attendees == nil)
        #expect(event.endedAt == Date(timeIntervalSince1970: 1_376_341_200))
        let text = """
            {"id": 9, "name": "P", "address": null, "lat": 1, "lon": 2, "started_at": "2013-08-12T19:30:00.000Z",
             "ended_at": null, "attendees": [{"id": 4}, {"id": 5}]}
            """
        let other = try await received(text)
        #expect(other.address == nil && other.endedAt == nil && other.owner == nil)
        #expect(other.attendees?.map(\.id) == ["4", "5"])
    }

    // HU-34
    @Test
    func anEventIsUnchangedByEncodingAndDecodingExceptItsOwner() async throws {
        let object = try await sent(try await received(Self.fixture))
        var expected = try JSONSerialization.jsonObject(with: Data(Self.fixture.utf8)) as? [String: Any] ?? [:]
        expected["owner"] = nil
        #expect(object as NSDictionary == expected as NSDictionary)
    }

    // HU-35
    @Test(arguments: [0, 1, 123, 500, 999])
    func datesHaveMillisecondsAndAreInUTC(milliseconds: Int) async throws {
        let text = String(format: "2013-08-12T19:30:00.%03dZ", milliseconds)
        let event = try await received(
            #"{"name": "A", "lat": 0, "lon": 0, "started_at": "\#(text)"}"#
        )
        #expect(abs(event.startedAt.timeIntervalSince1970 - 1_376_335_800 - Double(milliseconds) / 1000) < 0.0005)
        #expect(try await sent(event)["started_at"] as? String == text)
    }

    // HU-36
    @Test
    func eventsAreTheSameByIdentifierAndOwner() {
        func event(_ id: String?, by owner: String?, name: String = "A") -> Event {
            Event(name: name, latitude: 0, longitude: 0, id: id, owner: owner.map { HumonUser(id: $0) })
        }
        #expect(event("1", by: "2") == event("1", by: "2", name: "B"))
        #expect(event("1", by: "2").hashValue == event("1", by: "2", name: "B").hashValue)
        #expect(event("1", by: "2") != event("1", by: "3") && event("1", by: "2") != event("2", by: "2"))
        let draft = event(nil, by: nil)
        var renamed = draft
        renamed.name = "C"
        #expect(draft == renamed && draft.hashValue == renamed.hashValue && draft != event(nil, by: nil))
        #expect(draft != event("1", by: nil))
    }

    // HU-37
    @Test
    func aMapKeepsAddsAndRemoves() {
        let events = (1...4).map { Event(name: "E\($0)", latitude: 0, longitude: 0, id: "\($0)") }
        let changes = EventChanges(from: [events[0], events[1]], to: [events[1], events[2], events[3]])
        #expect(changes.kept == [events[1]] && changes.added == [events[2], events[3]])
        #expect(changes.removed == [events[0]])
    }
}
