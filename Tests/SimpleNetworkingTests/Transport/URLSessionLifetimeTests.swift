import Foundation
import Testing

@testable import SimpleNetworking

@Suite("URLSessionTransport, cancellation and lifetime", .timeLimit(.minutes(1)))
struct URLSessionLifetimeTests {
    @Test(
        arguments: URLSessionDriving.allCases,
        ["/echo", "/redirect", "/refused", "/closed", "/truncated", "/reset", "/slow"]
    )
    func aStormOfCancellationsEndsEachRequestOnce(driving: URLSessionDriving, path: String) async throws {
        let server = try RawServer { request in
            switch request.path {
            case "/redirect": .redirect(to: "/echo")
            case "/refused": .unauthorized()
            case "/closed": .closed
            case "/truncated": .truncated
            case "/reset": .reset
            case "/slow": .drip("abc", every: 0.001)
            default: .echo(request)
            }
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 32
        let transport = driving.transport(configuration)
        let url = server.url(path)
        let ends = try await withinSeconds(50) {
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        var ends = 0
                        for _ in 0..<15 {
                            let task = Task.detached { try await transport.get(url) }
                            await spin(microseconds: .random(in: 0...1_500))
                            task.cancel()
                            _ = await task.result
                            ends += 1
                        }
                        return ends
                    }
                }
                return await group.reduce(0, +)
            }
        }
        #expect(ends == 240)
        #expect(try await transport.get(server.url("/echo")).status == 200)
        try await withinSeconds(30) { while transport.unfinishedTaskCount > 0 { await Task.yield() } }
    }

    @Test(arguments: URLSessionDriving.allCases)
    func aTaskThatIsCancelledBeforehandSendsNothing(driving: URLSessionDriving) async throws {
        let server = try RawServer { .echo($0) }
        let transport = driving.transport()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.get(server.url())
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.log.opened == 0)
    }

    @Test
    func anOwnSessionIsInvalidatedWhenItsTransportGoes() async throws {
        let server = try RawServer { .echo($0) }
        weak var router: ExchangeRouter?
        do {
            let transport = URLSessionTransport(configuration: .ephemeral)
            router = transport.router
            _ = try await transport.get(server.url())
            #expect(router != nil)
        }
        // A session holds its delegate until it is invalid.
        try await withinSeconds(30) { [router = Weak(router)] in while router.object != nil { await Task.yield() } }
    }

    @Test
    func aRequestInFlightOutlivesTheLastReferenceToItsTransport() async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { _ in .response(body: "late").held(by: latch) }
        let url = server.url()
        let task = Task { try await URLSessionTransport(configuration: .ephemeral).get(url) }
        await server.wait(forRequests: 1)
        latch.open()
        #expect(String(decoding: try await task.value.body, as: UTF8.self) == "late")
    }

    @Test
    func aCallersSessionStaysAsItWas() async throws {
        let server = try RawServer { .echo($0) }
        let session = URLSession(configuration: .ephemeral)
        let cache = session.configuration.urlCache
        _ = try await URLSessionTransport(session: session).get(server.url())
        _ = try await URLSessionTransport(session: session).get(server.url())
        #expect(session.configuration.urlCache === cache)
    }

    @Test
    func twoHundredRequestsAtOnce() async throws {
        let server = try RawServer { .echo($0) }
        for driving in URLSessionDriving.allCases {
            let transport = driving.transport()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 { group.addTask { try await transport.get(server.url()).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 200))
        }
    }
}

/// Lets so much time pass without a timer, whose grain is too coarse for races.
private func spin(microseconds: UInt64) async {
    let end = DispatchTime.now().uptimeNanoseconds + microseconds * 1_000
    while DispatchTime.now().uptimeNanoseconds < end { await Task.yield() }
}

private final class Weak<Object: AnyObject & Sendable>: Sendable {
    private let box: Locked<() -> Object?>

    init(_ object: Object?) { box = Locked { [weak object] in object } }

    var object: Object? { box.withLock { $0() } }
}
