// 'cookieJar' is unavailable: import SimpleNetworkingCookies
import SimpleNetworking

func load() -> SimpleNetworking {
    SimpleNetworking(host: "api.example.com") { $0.cookieJar = nil }
}
