import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// The order in which a cassette replays requests.
@Suite(.timeLimit(.minutes(5)))
struct CassetteConcurrencyTests {
    private let folder = ScratchFolder()
    private let gate = Gate()

    private func client(_ mode: Cassette.Mode, _ name: String) -> (SimpleNetworking, Cassette) {
        let cassette = Cassette(folder.url.appendingPathComponent(name), mode: mode)
        let stub = StubTransport().on("/first", .text("/first").after(gate)).on("*") { .text($0.url.path) }
        return (SimpleNetworking(over: stub, through: [cassette]), cassette)
    }

    /// Records `/a`, then `/first` and `/second` in flight at the same time, and then `/z`.
    private func record(_ name: String) async throws {
        let (api, _) = client(.record, name)
        await api.get("/a").ended()
        let first = api.get("/first")
        await gate.arrivals(1)
        await api.get("/second").ended()
        gate.open()
        await first.ended()
        await api.get("/z").ended()
    }

    private func replayed(_ name: String, _ paths: [String]) async throws -> [String?] {
        let (api, cassette) = client(.replay, name)
        var texts: [String?] = []
        for path in paths { texts.append(await api.get(path).ended().value?.text) }
        if !texts.contains(nil) { try cassette.verify() }
        return texts
    }

    @Test(arguments: ["session.json", "session.har"])
    func requestsInFlightTogetherMayComeInAnyOrder(name: String) async throws {
        try await record(name)
        for order in [["/a", "/first", "/second", "/z"], ["/a", "/second", "/first", "/z"]] {
            #expect(try await replayed(name, order) == order)
        }
    }

    @Test(arguments: ["session.json", "session.har"])
    func otherRequestsKeepTheirOrder(name: String) async throws {
        try await record(name)
        for order in [["/first", "/a"], ["/a", "/z"], ["/a", "/second", "/z"]] {
            #expect(try await replayed(name, order).contains(nil))
        }
    }

    @Test
    func mismatchIsComparedWithTheNearestOfThoseInFlight() async throws {
        try await record("session.json")
        let (api, _) = client(.replay, "session.json")
        await api.get("/a").ended()
        guard case .failed(let error, _, _)? = await api.post("/second").ended().error else {
            throw "it matched".asError
        }
        #expect(
            "\(error)" == """
                request 2 is not one of those that session.json has:
                          recorded                         request
                  method  GET                            ≠ POST
                  URL     https://api.example.com/second   https://api.example.com/second
                if the change is meant, record it with the mode .update
                """
        )
    }

    @Test
    func updateKeepsWhatWasReplayedOutOfOrder() async throws {
        try await record("session.json")
        let (api, _) = client(.update, "session.json")
        for path in ["/a", "/second", "/new"] { await api.get(path).ended() }
        #expect(try await replayed("session.json", ["/a", "/second", "/new"]) == ["/a", "/second", "/new"])
    }

    /// As a browser writes it, with its times.
    @Test
    func timesOfAnArchiveSayWhatWasInFlightTogether() async throws {
        func entry(_ path: String, at second: String, _ milliseconds: Int) -> String {
            #"{"startedDateTime": "2026-11-22T10:00:0\#(second)Z", "time": \#(milliseconds), "request": {"method": "GET","#
                + #" "url": "https://api.example.com\#(path)", "headers": []}, "response": {"status": 200, "headers": [],"#
                + #" "content": {"text": "\#(path)"}}}"#
        }
        let entries = [entry("/a", at: "1.000", 500), entry("/b", at: "1.250", 10), entry("/c", at: "1.500", 10)]
        let archive = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(archive.utf8).write(to: folder.url.appendingPathComponent("browser.har"))
        #expect(try await replayed("browser.har", ["/b", "/a", "/c"]) == ["/b", "/a", "/c"])
        #expect(try await replayed("browser.har", ["/a", "/c"]).contains(nil))
    }
}
