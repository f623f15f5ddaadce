import ArgumentParser

/// A client whose sources are elsewhere, as a program of its own that is built when it is asked for.
struct Peer {
    private let folder: URL

    /// `NAME=PATH`: what to measure, and where its package is.
    struct Place: ExpressibleByArgument {
        let kind: ClientKind
        let path: String

        init?(argument: String) {
            let pair = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, let kind = ClientKind.peers.first(where: { $0.shortTitle == pair[0] }) else {
                return nil
            }
            (self.kind, path) = (kind, URL(fileURLWithPath: pair[1]).path)
        }
    }

    /// What the program prints.
    private struct Answer: Codable {
        let median: Double
        let slowest: Double
        let seconds: Double
        let cpu: Double
    }

    /// Builds the program.
    init(_ place: Place) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-" + UUID().uuidString)
        let sources = folder.appendingPathComponent("Sources/peer")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let name = place.kind.shortTitle
        let manifest = """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "peer",
                platforms: [.macOS(.v13)],
                dependencies: [.package(name: "\(name)", path: "\(place.path)")],
                targets: [
                    .executableTarget(name: "peer", dependencies: [.product(name: "\(name)", package: "\(name)")])
                ],
                swiftLanguageModes: [.v5]
            )
            """
        try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
        let client = place.kind == .alamofire ? Self.alamofire : Self.get
        try Data((client + Self.work).utf8).write(to: sources.appendingPathComponent("Peer.swift"))
        _ = try Child.run(["swift", "build", "-c", "release"], in: folder)
    }

    /// Removes the program.
    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Makes requests one after the other.
    func run(_ server: URL, count: Int) throws -> [Measure: Double] {
        let answer = try answer(server, count: count, inFlight: 1, .defaults)
        let cpu = answer.cpu * 1e6 / Double(count)
        return [.median: answer.median, .slowest: answer.slowest, .sequentialCPU: cpu]
    }

    /// Makes so many requests at a time, and gives the seconds that passed and those of the processors.
    func run(_ server: URL, count: Int, inFlight: Int, _ load: Load) throws -> (seconds: Double, cpu: Double) {
        let answer = try answer(server, count: count, inFlight: inFlight, load)
        return (answer.seconds, answer.cpu)
    }

    private func answer(_ server: URL, count: Int, inFlight: Int, _ load: Load) throws -> Answer {
        let program = folder.appendingPathComponent(".build/release/peer").path
        let output = try Child.run([program, server.absoluteString, "\(count)", "\(inFlight)", load.rawValue])
        return try JSONDecoder().decode(Answer.self, from: Data(output.text.utf8))
    }

    private static let alamofire = """
        import Alamofire
        import Foundation
        #if canImport(FoundationNetworking)
            import FoundationNetworking
        #endif
        struct Client: @unchecked Sendable {
            let server: String
            let session: Session
            init(_ server: String, _ configuration: URLSessionConfiguration) {
                (self.server, session) = (server, Session(configuration: configuration))
            }
            func item() async throws -> Item {
                try await session.request(server + "/item").validate().serializingDecodable(Item.self).value
            }
            func data() async throws -> Data {
                try await session.request(server + "/item").validate().serializingData().value
            }
        }

        """

    private static let get = """
        import Foundation
        import Get
        #if canImport(FoundationNetworking)
            import FoundationNetworking
        #endif
        struct Client: @unchecked Sendable {
            let client: APIClient
            init(_ server: String, _ configuration: URLSessionConfiguration) {
                client = APIClient(baseURL: URL(string: server)) { $0.sessionConfiguration = configuration }
            }
            func item() async throws -> Item { try await client.send(Request<Item>(path: "/item")).value }
            func data() async throws -> Data { try await client.data(for: Request<Void>(path: "/item")).value }
        }

        """

    /// The same as the other clients do.
    private static let work = """
        struct Item: Codable, Sendable {
            let id: Int, name: String, email: String, isActive: Bool, score: Double, tags: [String], address: Address
            struct Address: Codable, Sendable { let street: String, city: String }
        }
        actor Budget {
            private var left: Int
            private(set) var durations: [UInt64] = []
            init(_ count: Int) { left = count }
            func take() -> Bool {
                left -= 1
                return left >= 0
            }
            func add(_ duration: UInt64) { durations.append(duration) }
        }
        @main
        enum Program {
            static let load = CommandLine.arguments[4]
            static let decodes = load != "raw"
            static func run(_ client: Client, _ budget: Budget) async throws {
                while await budget.take() {
                    let start = DispatchTime.now().uptimeNanoseconds
                    if decodes { _ = try await client.item() } else { _ = try await client.data() }
                    await budget.add(DispatchTime.now().uptimeNanoseconds - start)
                }
            }
            static var cpuSeconds: Double { Double(clock()) / 1e6 }
            static func main() async throws {
                let count = Int(CommandLine.arguments[2])!, inFlight = Int(CommandLine.arguments[3])!
                let configuration = URLSessionConfiguration.default
                if load != "defaults" { configuration.httpMaximumConnectionsPerHost = inFlight }
                let client = Client(CommandLine.arguments[1], configuration)
                try await run(client, Budget(100))
                let budget = Budget(count), cpu = cpuSeconds, start = DispatchTime.now().uptimeNanoseconds
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<inFlight { group.addTask { try await run(client, budget) } }
                    try await group.waitForAll()
                }
                let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9, used = cpuSeconds - cpu
                let durations = await budget.durations.sorted().map { Double($0) / 1e3 }
                print(
                    #"{"median":\\#(durations[count / 2]),"slowest":\\#(durations[count * 99 / 100]),"#
                        + #""seconds":\\#(seconds),"cpu":\\#(used)}"#)
            }
        }

        """
}
