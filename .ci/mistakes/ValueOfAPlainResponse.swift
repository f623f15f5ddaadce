// 'value' is unavailable: send a Request<T>, such as Request<User>.get(…), or call decode(_:)
import SimpleNetworking

func load(_ api: SimpleNetworking) async throws {
    print(try await api.send(SimpleNetworking.get("/user")).value)
}
