// 'traffic' is unavailable: import SimpleNetworkingTraffic
import SimpleNetworking

func load() -> SimpleNetworking {
    SimpleNetworking(host: "api.example.com") {
        $0.traffic.inFlight = 6
        $0.traffic.rate = .perSecond(10, burst: 20)
        $0.traffic.respectsRateLimits = true
    }
}
