// 'init(nilLiteral:)' is unavailable: write .never
import SimpleNetworking

func load() -> SimpleNetworking {
    SimpleNetworking(host: "api.example.com") { $0.retryPolicy = nil }
}
