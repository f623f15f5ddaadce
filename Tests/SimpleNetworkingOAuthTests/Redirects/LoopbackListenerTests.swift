import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingOAuth

@Suite(.serialized, .timeLimit(.minutes(5)))
struct LoopbackListenerTests {
    private let listener: LoopbackListener
    private let port: Int

    init() throws {
        listener = try LoopbackListener()
        port = try #require(listener.redirectURI.port)
    }

    private func get(_ target: String, host: String? = nil) -> String {
        "GET \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\r\n"
    }

    private func redirect(within seconds: TimeInterval = 30) -> Task<URL, any Error> {
        Task { [listener] in
            try await listener.redirect(within: seconds) { $0.query?.contains("state=right") == true }
        }
    }

    /// A program that another test starts just now holds all sockets for a moment, until it is itself.
    private func isClosed(at port: Int) async throws {
        try await eventually { (try? Visitor(port: port)) == nil }
    }

    @Test
    func aTimeThatIsNoNumberIsOver() throws {
        #expect(try RedirectSocket.readable(among: [], within: .nan).isEmpty)
    }

    @Test
    func redirectURIIsALoopbackURL() {
        #expect(listener.redirectURI.absoluteString == "http://127.0.0.1:\(port)/callback")
    }

    @Test
    func redirectGetsAPageAndIsReturned() async throws {
        let task = redirect()
        let reply = try await Visitor(port: port, get("/callback?code=a%2Bb&state=right")).reply()
        #expect(reply.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(reply.contains("You can close this page."))
        #expect(reply.contains("Cache-Control: no-store\r\n"))
        #expect(!reply.contains("a%2Bb"))
        let length = reply.components(separatedBy: "\r\n\r\n").last?.utf8.count ?? 0
        #expect(reply.contains("Content-Length: \(length)\r\n"))
        #expect(try await task.value.absoluteString == "http://127.0.0.1:\(port)/callback?code=a%2Bb&state=right")
    }

    /// Requests that are not the redirect, and the status of their responses; `PORT` stands for the port.
    @Test(arguments: [
        ("GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "404"),
        ("GET /callback/more?state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "404"),
        ("GET /?state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "404"),
        ("GET /callback?state=wrong HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "400"),
        ("GET /callback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "400"),
        ("POST /callback?state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "405"),
        ("HEAD /callback?state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "405"),
        ("GET /callback?state=right HTTP/1.1\r\nHost: evil.example.com:PORT\r\n\r\n", "400"),
        ("GET /callback?state=right HTTP/1.1\r\n\r\n", "400"),
        ("GET http://evil.example.com/callback?state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "400"),
        ("GET /callback?state=right\r\n\r\n", "400"), ("\r\n\r\n", "400"), ("\u{1}\u{2}\r\n\r\n", "400"),
        ("GET /callback?x=" + String(repeating: "x", count: 17 << 10), "400"),
    ])
    func whateverElseComesIsRefusedAndDoesNotEndTheWait(request: String, status: String) async throws {
        let task = redirect()
        let text = request.replacingOccurrences(of: "PORT", with: String(port))
        #expect(try await Visitor(port: port, text).reply().hasPrefix("HTTP/1.1 \(status) "))
        _ = try await Visitor(port: port, get("/callback?state=right")).reply()
        #expect(try await task.value.query == "state=right")
    }

    @Test
    func silentConnectionsDoNotDelayTheRedirect() async throws {
        let task = redirect()
        let silent = try (0..<40).map { _ in try Visitor(port: port) }
        let halfway = try Visitor(port: port, "GET /callback?sta")
        let reply = try await Visitor(port: port, get("/callback?state=right")).reply()
        #expect(reply.hasPrefix("HTTP/1.1 200 "))
        #expect(try await task.value.query == "state=right")
        #expect(await halfway.reply().isEmpty)
        for visitor in silent { #expect(await visitor.reply().isEmpty) }
    }

    @Test
    func aRequestMayComeInPieces() async throws {
        let task = redirect()
        let visitor = try Visitor(port: port)
        for character in get("/callback?state=right") { visitor.say(String(character)) }
        #expect(await visitor.reply().hasPrefix("HTTP/1.1 200 "))
        #expect(try await task.value.query == "state=right")
    }

    @Test
    func listenerClosesAfterTheRedirect() async throws {
        let task = redirect()
        _ = try await Visitor(port: port, get("/callback?state=right")).reply()
        _ = try await task.value
        try await isClosed(at: port)
        #expect(await oauthError { try await listener.redirect { _ in true } }?.name == "alreadyFinished")
    }

    @Test
    func theWaitEndsInTime() async throws {
        let error = await oauthError { try await redirect(within: 0.01).value }
        #expect(error?.localizedDescription == "The user did not sign in within 0 s.")
        try await isClosed(at: port)
    }

    @Test
    func cancellingEndsTheWait() async throws {
        let task = redirect()
        // It is waiting, since it responds.
        _ = try await Visitor(port: port, get("/")).reply()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await isClosed(at: port)
        let late = Task { [other = try LoopbackListener()] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await other.redirect { _ in true }
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    #if os(Linux)
        @Test
        func noThreadIsLeftBehind() async throws {
            let threads = Recorder<String>()
            let task = Task { [listener] in
                try await listener.redirect { _ in
                    // Such as 1234/task/1240.
                    threads.add((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "")
                    return true
                }
            }
            _ = try await Visitor(port: port, get("/callback")).reply()
            _ = try await task.value
            let thread = try #require(threads.elements.first)
            #expect(thread.contains("/task/"))
            try await eventually { !FileManager.default.fileExists(atPath: "/proc/" + thread) }
        }
    #endif

    @Test
    func aPortMayBeNamedAndIsTakenOnce() async throws {
        let error = await oauthError { [port] in try LoopbackListener(port: UInt16(port)) }
        #expect(error?.name == "cannotListen")
        #expect(error?.localizedDescription.contains("Address already in use") == true)
        let task = redirect(within: 0)
        _ = try? await task.value
        #expect(try LoopbackListener(path: "/x", port: UInt16(port)).redirectURI.path == "/x")
    }

    @Test
    func aListenerThatIsForgottenCloses() async throws {
        var other: LoopbackListener? = try LoopbackListener()
        let port = try #require(other?.redirectURI.port)
        #expect(throws: Never.self) { try Visitor(port: port) }
        other = nil
        try await isClosed(at: port)
    }

    @Test(arguments: ["callback", "", "/x?y", "/x#y"])
    func aPathBeginsWithASlash(path: String) async {
        #expect(await oauthError { try LoopbackListener(path: path) }?.name == "cannotListen")
    }
}
