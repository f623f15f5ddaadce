import ArgumentParser
import SimpleNetworkingCaching
import SimpleNetworkingCookies
import SimpleNetworkingPagination

/// Does things of growing sizes over a transport that responds at once, and prints what a unit of each size costs.
struct Growth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows whether time grows linearly.")

    func run() async throws {
        var rows: [[String]] = [["CPU a unit, µs"] + ["×1", "×10", "×100", "×1000"]]
        for subject in GrowingSubject.all {
            var row = [subject.name]
            for size in [1, 10, 100, 1000].map({ $0 * subject.unit }) {
                row.append(try await microseconds(of: subject, size: size).text(1))
            }
            rows.append(row)
        }
        print(Table.aligned(rows))
    }

    /// The least of three, each of so many times that the clock can measure them.
    private func microseconds(of subject: GrowingSubject, size: Int) async throws -> Double {
        let times = max(1, 1000 / size)
        var least = Double.infinity
        for _ in 0..<3 {
            let start = ProcessUsage.cpuSeconds
            for _ in 0..<times { try await subject.run(size) }
            least = min(least, ProcessUsage.cpuSeconds - start)
        }
        return least * 1e6 / Double(size * times)
    }
}

/// Something that there may be many of.
struct GrowingSubject {
    let name: String
    /// The smallest size.
    var unit = 1
    let run: (Int) async throws -> Void

    static var all: [GrowingSubject] {
        [
            GrowingSubject(name: "handlers of a request") { count in
                await end { request in for _ in 0..<count { request.on(success: { _ in }) } }
            },
            GrowingSubject(name: "handlers that take a value") { count in
                await end { request in for _ in 0..<count { request.on(success: [Int].self, { _ in }) } }
            },
            GrowingSubject(name: "header fields of a request") { count in
                await end { request in for number in 0..<count { request.header("X-Field-\(number)", "value") } }
            },
            GrowingSubject(name: "header fields of a response") { count in
                var headers: HTTPHeaders = [:]
                for number in 0..<count { headers.append("X-Field-\(number)", "value") }
                await end(on: client(InstantTransport(headers: headers))) { _ in }
            },
            GrowingSubject(name: "event monitors") { count in
                await end(on: client { $0.eventMonitors = (0..<count).map { _ in SilentMonitor() } }) { _ in }
            },
            GrowingSubject(name: "requests at once", unit: 100) { count in
                let client = client()
                let group = DispatchGroup()
                for _ in 0..<count {
                    group.enter()
                    client.get("/") { $0.on(completion: { _ in group.leave() }) }
                }
                await withCheckedContinuation { continuation in
                    group.notify(queue: .global()) { continuation.resume() }
                }
            },
            GrowingSubject(name: "cookies set, 50 a domain", unit: 10) { count in
                let jar = CookieJar()
                for number in 0..<count {
                    guard let url = URL(string: "https://host\(number / 50).example") else { continue }
                    jar.store(HTTPHeaders(["Set-Cookie": "name\(number % 50)=value"]), from: url)
                }
            },
            GrowingSubject(name: "responses cached in memory", unit: 100) { count in
                let cache = ResponseCache(memoryLimit: 1 << 30)
                let headers = HTTPHeaders(["Cache-Control": "max-age=1000"])
                let client = client(InstantTransport(headers: headers)) { $0.cache = cache }
                for number in 0..<count { try await client.send(SimpleNetworking.get("/\(number)")) }
            },
            GrowingSubject(name: "pages of a list", unit: 10) { count in
                let pages = client(PagedTransport(count: count)).pages(
                    of: Int.self,
                    for: SimpleNetworking.get("/list?page=1"),
                    style: .linkHeader()
                )
                for try await _ in pages {}
            },
        ]
    }

    private static func client(
        _ transport: any Transport = InstantTransport(),
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> SimpleNetworking {
        SimpleNetworking(host: "example.com") { configuration in
            configuration.transport = transport
            configuration.logger = .silent
            configure(&configuration)
        }
    }

    /// Executes one request to its end.
    private static func end(
        on client: SimpleNetworking = client(),
        _ build: (SimpleRequest) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            client.get("/") { request in
                build(request)
                return request.on(completion: { _ in continuation.resume() })
            }
        }
    }
}
