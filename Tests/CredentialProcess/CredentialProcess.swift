import Foundation
import SimpleNetworkingOAuth

/// Works with a store's file as another program would.
///
/// It says a line when it is ready, so that a test need not guess.
@main
struct CredentialProcess {
    static func main() async {
        do {
            try await run(CommandLine.arguments)
        } catch {
            // An error that leaves here would be a crash, whose report takes minutes.
            say("\(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 3 else { exit(64) }
        if let count = Int(arguments[1]) { return await send(count, to: arguments[2], isPatient: arguments.count > 3) }
        let store = FileCredentialStore(URL(fileURLWithPath: arguments[2]))
        switch arguments[1] {
        case "write": try await write(to: store)
        case "hold": try await hold(store)
        case "refresh": try await refresh(in: store, at: URL(string: arguments[3]))
        default: exit(64)
        }
    }

    /// Replaces the token until it is killed; the texts are long, so that half of one is not taken for a whole.
    private static func write(to store: FileCredentialStore) async throws {
        for number in 0... {
            let text = String(repeating: "\(number).", count: 20_000)
            try await store.save(OAuthToken(accessToken: Secret(text), refreshToken: Secret(text)))
            if number == 0 { say("writing") }
        }
    }

    /// Keeps others out until it is killed.
    private static func hold(_ store: FileCredentialStore) async throws {
        try await store.exclusively {
            say("holding")
            _ = readLine()
        }
    }

    /// Requests a token on command, and prints it.
    private static func refresh(in store: FileCredentialStore, at endpoint: URL?) async throws {
        var configuration = OAuthConfiguration(clientID: "tests")
        configuration.tokenEndpoint = endpoint
        let session = OAuthSession(configuration, store: store)
        _ = try await session.storedToken()
        say("ready")
        _ = readLine()
        say(try await session.currentToken().accessToken.reveal())
    }

    /// Sends requests, and waits for their handlers only if it is patient.
    private static func send(_ count: Int, to url: String, isPatient: Bool) async {
        guard let url = URL(string: url) else { exit(64) }
        let api = SimpleNetworking(baseURL: url)
        // Whatever the environment asks for.
        api.logLevel = .warning
        let requests = (0..<count).map { api.get("/\($0)") { $0.on(completion: { _ in }) } }
        if isPatient { for request in requests { await request.ended() } }
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
