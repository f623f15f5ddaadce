// 'CircuitBreaker' is unavailable: import SimpleNetworkingTraffic
import SimpleNetworking

func load() -> SimpleNetworking {
    SimpleNetworking(host: "api.example.com") { $0.middleware = [CircuitBreaker(), Hedging(after: 0.2)] }
}
