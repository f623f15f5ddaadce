import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting

/// What one way of going through a list has found: as an awaited sequence, or with a handler.
struct ListWalk: Sendable {
    var items: [[Int]] = []
    var error: SimpleNetworkingError?
    /// The path and query of each request.
    var asked: [String] = []
    var warnings: [String] = []
    /// The reasons of the `ignored` events that monitors have received.
    var ignored: [String] = []

    private struct Monitor: EventMonitor {
        let reasons = Recorder<String>()

        func observe(_ event: RequestEvent, of request: ObservedRequest) {
            if case .ignored(let reason) = event.kind { reasons.add(reason) }
        }
    }

    /// Goes through all pages both ways, each on a client and a server of its own.
    static func both(
        _ server: () -> StubTransport,
        _ style: PaginationStyle,
        at path: String? = "items",
        for first: SimpleRequest = SimpleNetworking.get("/items"),
        _ configure: @escaping (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) async -> [ListWalk] {
        var walks: [ListWalk] = []
        for isAwaited in [true, false] {
            let (stub, log, monitor) = (server(), Recorder<String>(), Monitor())
            let client = SimpleNetworking(over: stub) {
                $0.logger = log.logger(.warning)
                $0.eventMonitors = [monitor]
                configure(&$0)
            }
            var walk = ListWalk()
            if isAwaited {
                do {
                    for try await page in client.pages(of: Int.self, at: path, for: first, style: style) {
                        walk.items.append(page.items)
                    }
                } catch { walk.error = error as? SimpleNetworkingError }
            } else {
                let pages = Recorder<[Int]>()
                let request = first.copy().on(page: style, of: Int.self, at: path) { page in
                    pages.add(page.items)
                    return true
                }
                walk.error = await request.on(error: { _ in }).execute(on: client).ended().error
                walk.items = pages.elements
            }
            walk.asked = stub.requests.map { $0.url.path + ($0.url.query.map { "?" + $0 } ?? "") }
            (walk.warnings, walk.ignored) = (log.elements, monitor.reasons.elements)
            walks.append(walk)
        }
        return walks
    }
}

extension StubTransport {
    /// Makes a server that sends these contents, one after another, and then status 404.
    static func sending(_ contents: String..., headers: HTTPHeaders = [:]) -> StubTransport {
        sending(contents, headers: headers)
    }

    static func sending(_ contents: [String], headers: HTTPHeaders = [:]) -> StubTransport {
        let server = StubTransport()
        for content in contents { server.on("*", .json(content, headers: headers), times: 1) }
        return server.on("*", .status(404))
    }
}
