// 'events(for:maxEventSize:reconnects:idleTimeout:)' is unavailable: import SimpleNetworkingTransfers
import SimpleNetworking

func read(_ api: SimpleNetworking) async throws {
    for try await event in api.events(for: SimpleNetworking.get("/news"), reconnects: true) {
        print(event.id, event.data)
    }
}
