import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EncoderTests {
    private struct Event: Encodable, Sendable {
        var startsAt = Date(timeIntervalSince1970: 0)
    }

    private let server = StubTransport().on("*", .status(204))

    private var sent: String? {
        guard case .data(let data)? = server.requests.last?.body else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    @Test
    func datesAreWrittenAsISO8601ByEveryFace() async throws {
        let client = SimpleNetworking(over: server)
        let expected = #"{"startsAt":"1970-01-01T00:00:00Z"}"#
        #expect(await client.post("/x", body: Event()).ended().value != nil)
        #expect(sent == expected)
        _ = try await client.send(SimpleNetworking.post("/x", body: Event()))
        #expect(sent == expected)
        _ = try await client.send(SimpleNetworking.post("/x").body(json: Event()))
        #expect(sent == expected)
        try await client.send(Request.post("/x", body: Event()))
        #expect(sent == expected)
    }

    @Test
    func theClientsEncoderIsUsedWhereTheClientIsKnown() async throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        let client = SimpleNetworking(over: server) { $0.encoder = encoder }
        #expect(await client.post("/x", body: Event()).ended().value != nil)
        #expect(sent == #"{"starts_at":0}"#)
        try await client.send(Request.post("/x", body: Event()))
        #expect(sent == #"{"starts_at":0}"#)
    }
}
