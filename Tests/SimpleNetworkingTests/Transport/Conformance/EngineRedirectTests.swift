import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// Redirects and the URLs they name, as they go over the wire.
@Suite("Every engine: redirects", .serialized, .timeLimit(.minutes(5)))
struct EngineRedirectTests {
    @Test(arguments: Engine.allCases)
    func aPageThatSetsACookieAndReloadsIsReached(engine: Engine) async throws {
        let server = try RawServer { request in
            request[header: "Cookie"] == nil
                ? .response(status: 302, headers: ["Location": request.target, "Set-Cookie": "seen=1"])
                : .response(body: "welcome")
        }
        let client = try engine.client(server) { $0.cookieJar = CookieJar() }
        #expect(try await client.send(SimpleNetworking.get("/start")).text == "welcome")
        #expect(server.requests.map(\.target) == ["/start", "/start"])
    }

    @Test(arguments: Engine.allCases)
    func aServerThatSendsToTheSameURLUntilItIsReadyIsFollowed(engine: Engine) async throws {
        let count = Locked(0)
        let server = try RawServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number < 20 ? .redirect(to: request.target) : .response(body: "ready")
        }
        #expect(try await engine.client(server).send(SimpleNetworking.get("/job")).text == "ready")
        #expect(server.requests.count == 20)
    }

    @Test(arguments: Engine.allCases)
    func anEndlessRedirectToTheSameURLEndsAtTheLimit(engine: Engine) async throws {
        let server = try RawServer { .redirect(to: $0.target) }
        let client = try engine.client(server) { $0.redirectPolicy = RedirectPolicy(limit: 3) }
        let error = await client.get("/loop").ended().error
        guard case .redirect(let reason, _)? = error else { throw Surprise("\(error as Any)") }
        #expect(reason == "there were more than 3 redirects")
        #expect(server.requests.count == 4)
    }

    @Test(arguments: Engine.allCases, [200, 8 << 20, nil] as [Int?])
    func aRedirectIsFollowedWhateverTheSizeOfItsContent(engine: Engine, size: Int?) async throws {
        let server = try RawServer { request in
            guard request.path == "/here" else { return .response(body: "there") }
            if let size { return .redirect(to: "/there", body: String(repeating: "x", count: size)) }
            let head = Data("HTTP/1.1 302 Found\r\nLocation: /there\r\n\r\n".utf8)
            return RawServer.Reply([.send(head), .flood(Data(repeating: 120, count: 16 << 10))])
        }
        let lacks = size == nil && (engine.lacks(.endlessRedirects) || engine.lacks(.limitWhileReceiving))
        let client = try engine.client(server) {
            $0.retryPolicy = .never
            $0.maxResponseSize = 1000
            if lacks { $0.timeout = 2 }
        }
        let request = SimpleNetworking.get("/here")
        if lacks {
            #expect(await client.get("/here").ended().error.map(name(of:)) == "timedOut")
        } else {
            #expect(try await client.send(request).text == "there")
            #expect(server.requests.map(\.target) == ["/here", "/there"])
        }
    }

    /// Neither the reason nor the policy needs its content.
    @Test(arguments: Engine.allCases)
    func aRefusedRedirectIsAnErrorWithoutItsContent(engine: Engine) async throws {
        let server = try RawServer { _ in .redirect(to: "mailto:ada@example.com", body: "moved") }
        let error = try await engine.client(server).get("/").ended().error
        guard case .redirect(_, let response)? = error else { throw Surprise("\(error as Any)") }
        #expect(response.httpStatus == 302 && response.data.isEmpty)
    }

    /// The bytes of a `Location`, written as Latin-1, and the target that is requested next.
    static let locations = [
        ("?", "/a/b?"), ("?#x", "/a/b?"), ("/x?", "/x?"), ("//127.0.0.1:PORT/y?", "/y?"),
        ("http://127.0.0.1:PORT/z?#f", "/z?"), ("/m\u{C3}\u{BC}", "/m%C3%BC"), ("?q=\u{C3}\u{BC}", "/a/b?q=%C3%BC"),
        ("/m\u{C3}\u{83}\u{C2}\u{BC}", "/m%C3%83%C2%BC"), ("/m%C3%BC?%20", "/m%C3%BC?%20"),
    ]

    @Test(arguments: Engine.allCases, locations)
    func aLocationIsFollowedByItsBytes(engine: Engine, location: (bytes: String, target: String)) async throws {
        let port = Locked("")
        let server = try RawServer { request in
            guard request.target == "/a/b?c" else { return .response(body: "there") }
            let bytes = location.bytes.replacingOccurrences(of: "PORT", with: port.withLock { $0 })
            let text = "HTTP/1.1 302 Found\r\nLocation: \(bytes)\r\nContent-Length: 0\r\n\r\n"
            return RawServer.Reply([.send(Data(text.unicodeScalars.map { UInt8($0.value) }))])
        }
        port.withLock { $0 = "\(server.port)" }
        #expect(try await engine.client(server).send(SimpleNetworking.get("/a/b?c")).text == "there")
        #expect(server.requests.map(\.target) == ["/a/b?c", location.target])
    }

    @Test(arguments: Engine.allCases)
    func aLocationInLatin1IsFollowedWhereItCanBeRead(engine: Engine) async throws {
        // Foundation on Linux reads no such field at all.
        guard !engine.lacks(.latin1Fields) else { return }
        let server = try RawServer { request in
            guard request.target == "/a" else { return .response(body: "there") }
            let text = "HTTP/1.1 302 Found\r\nLocation: /m\u{FC}\r\nContent-Length: 0\r\n\r\n"
            return RawServer.Reply([.send(Data(text.unicodeScalars.map { UInt8($0.value) }))])
        }
        #expect(try await engine.client(server).send(SimpleNetworking.get("/a")).text == "there")
        #expect(server.requests.last?.target == "/m%FC")
    }

    @Test(arguments: Engine.allCases, ["/x?", "/x", "/x?a", "/?"])
    func emptyQueryIsSentAsWritten(engine: Engine, target: String) async throws {
        let server = try RawServer { _ in .response() }
        let client = try engine.client(server)
        _ = try await client.send(SimpleNetworking.get(target))
        _ = try await client.send(SimpleNetworking.get(server.url(target).absoluteString))
        try await client.send(Request<Void>.get(target))
        #expect(server.requests.map(\.target) == [target, target, target])
    }

    @Test(arguments: ["mailto:ada@example.com", "tel:+15550100", "javascript:alert(1)", "data:,x", "about:blank"])
    func aRedirectToAnotherSchemeNamesIt(location: String) async throws {
        let server = try RawServer { _ in .redirect(to: location) }
        let error = await SimpleNetworking(of: server).get("/").ended().error
        guard case .redirect(let reason, let response)? = error else { throw Surprise("\(error as Any)") }
        let scheme = location.prefix { $0 != ":" }
        #expect(reason.contains("its scheme “\(scheme)” is not supported, only http and https are"), "\(reason)")
        #expect(response.httpStatus == 302)
    }
}
