import DemoServer
import HumonClient
import SimpleNetworking

/// Uses Humon as its app does: a user, an event, and the map with it.
struct HumonMap: Scene {
    let title = "Humon: a user, an event, and the events on the map"

    let code = """
        let user = try await humon.createUser()
        show("user \\(user.id) is created; requests are signed as them from now on")
        var party = Event(name: "Party", latitude: 42.35, longitude: -71.06)
        let id = try await humon.createEvent(party)
        party.name = "Garden party"
        try await humon.changeEvent(id, to: party)
        let near = try await humon.fetchEvents(in: boston)
        show("in Boston: \\(near.events.map(\\.name))")
        let far = try await humon.fetchEvents(in: paris)
        show("in Paris: \\(far.message ?? "")")
        """

    let expected = [
        "user 1 is created; requests are signed as them from now on", #"in Boston: ["Garden party"]"#,
        "in Paris: No Events Found",
        "signed with tb-app-secret, tb-auth-token, tb-auth-token, tb-auth-token, tb-auth-token",
    ]

    func play(on stage: Stage) async throws {
        let show = stage.show
        let humon = stage.client {
            Humon(baseURL: $0.appendingPathComponent("humon/v1/"), appSecret: Secret("demo-secret"))
        }
        let boston = Region(latitude: 42.35, longitude: -71.06, latitudeDelta: 0.2)
        let paris = Region(latitude: 48.86, longitude: 2.35, latitudeDelta: 0.2)
        let before = await stage.server.log.lines.count
        let user = try await humon.createUser()
        show("user \(user.id) is created; requests are signed as them from now on")
        var party = Event(name: "Party", latitude: 42.35, longitude: -71.06)
        let id = try await humon.createEvent(party)
        party.name = "Garden party"
        try await humon.changeEvent(id, to: party)
        let near = try await humon.fetchEvents(in: boston)
        show("in Boston: \(near.events.map(\.name))")
        let far = try await humon.fetchEvents(in: paris)
        show("in Paris: \(far.message ?? "")")
        let headers = await stage.server.log.headers.dropFirst(before)
        let fields = headers.map { $0.keys.first { $0.hasPrefix("tb-") } ?? "nothing" }
        show("signed with \(fields.joined(separator: ", "))")
    }
}
