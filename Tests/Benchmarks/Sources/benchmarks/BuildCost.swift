/// Builds a program that makes one request: with the core, with each feature on top of it, with all, and with others.
enum BuildCost {
    private static let features = [
        "Caching", "Cookies", "Digest", "Forms", "Pagination", "Traffic", "Transfers", "All",
    ]

    /// A program to build.
    private struct Subject {
        var name: String
        /// The package that it depends on, as its manifest says, and the products that it imports.
        var package: (dependency: String, name: String)?
        var products: [String] = []
        var code: String
    }

    /// What a program costs: seconds of the processors for clean builds, and its size when it is stripped.
    struct Cost: Codable {
        var name: String
        var release: Double
        var debug: Double
        var kilobytes: Double
    }

    /// Builds the programs one after another.
    static func measure(alamofire: String?) throws -> [Cost] {
        let root = "/" + URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).dropFirst().joined(separator: "/")
        return try subjects(root: root, alamofire).map(build)
    }

    private static func subjects(root: String, _ alamofire: String?) -> [Subject] {
        let own = #".package(name: "SimpleNetworking", path: "\#(root)")"#
        let request = """
            let client = SimpleNetworking(host: "example.com")
            print(try await client.send(SimpleNetworking.get("/")).httpStatus)
            """
        let ofPackage = [""] + features.map { "SimpleNetworking" + $0 }
        var subjects = ofPackage.map { module in
            let modules = ["SimpleNetworking", module].filter { !$0.isEmpty }
            return Subject(
                name: modules.joined(separator: " + "),
                package: (own, "SimpleNetworking"),
                products: modules,
                code: modules.map { "import \($0)\n" }.joined() + request
            )
        }
        if let alamofire {
            subjects.append(
                Subject(
                    name: "Alamofire",
                    package: (#".package(name: "Alamofire", path: "\#(alamofire)")"#, "Alamofire"),
                    products: ["Alamofire"],
                    code: """
                        import Alamofire
                        let response = await AF.request("https://example.com").serializingData().response
                        print(response.response?.statusCode ?? 0)
                        """
                )
            )
        }
        subjects.append(
            Subject(
                name: "URLSession",
                code: """
                    import Foundation
                    #if canImport(FoundationNetworking)
                        import FoundationNetworking
                    #endif
                    let request = URLRequest(url: URL(string: "https://example.com")!)
                    let (_, response) = try await URLSession.shared.data(for: request)
                    print((response as? HTTPURLResponse)?.statusCode ?? 0)
                    """
            )
        )
        return subjects
    }

    private static func build(_ subject: Subject) throws -> Cost {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let sources = folder.appendingPathComponent("Sources/program")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let products = subject.products.map {
            #".product(name: "\#($0)", package: "\#(subject.package?.name ?? "")")"#
        }
        let manifest = """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "program",
                platforms: [.macOS(.v13)],
                dependencies: [\(subject.package?.dependency ?? "")],
                targets: [.executableTarget(name: "program", dependencies: [\(products.joined(separator: ", "))])]
            )
            """
        try manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        try subject.code.write(to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
        // Manifests are compiled, and packages are fetched, before the clock starts.
        _ = try Child.run(["swift", "package", "resolve"], in: folder)
        let debug = try Child.run(["swift", "build"], in: folder).processorSeconds
        let release = try Child.run(["swift", "build", "-c", "release"], in: folder).processorSeconds
        let program = folder.appendingPathComponent(".build/release/program")
        _ = try Child.run(["strip", program.path])
        let size = try FileManager.default.attributesOfItem(atPath: program.path)[.size] as? Int
        return Cost(name: subject.name, release: release, debug: debug, kilobytes: Double(size ?? 0) / 1e3)
    }
}
