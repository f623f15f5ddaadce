// 'DigestAuthenticator' is unavailable: import SimpleNetworkingDigest
import SimpleNetworking

func load() -> SimpleNetworking {
    SimpleNetworking(host: "printer.example.com") {
        $0.authenticator = DigestAuthenticator(user: "ada", password: "open sesame")
    }
}
