// 'value' is unavailable: write try await api.send(Request<User>.get(…)).value, or use on(success:)
import SimpleNetworking

func load(_ api: SimpleNetworking) async throws {
    print(try await api.get("/user").value)
}
