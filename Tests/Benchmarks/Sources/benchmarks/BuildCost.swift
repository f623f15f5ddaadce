/// Builds a program that makes one request with SimpleNetworking, and the same one with URLSession.
enum BuildCost {
    /// Gives seconds of a clean release build, and the size of the stripped program.
    static func measure() throws -> [String: Double] {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
        let own = """
            import SimpleNetworking
            let client = SimpleNetworking(host: "example.com")
            print(try await client.send(SimpleNetworking.get("/")).httpStatus)
            """
        let raw = """
            import Foundation
            #if canImport(FoundationNetworking)
                import FoundationNetworking
            #endif
            let (_, response) = try await URLSession.shared.data(for: URLRequest(url: URL(string: "https://example.com")!))
            print((response as? HTTPURLResponse)?.statusCode ?? 0)
            """
        var results: [String: Double] = [:]
        for (name, code, isOwn) in [("SimpleNetworking", own, true), ("URLSession", raw, false)] {
            let (seconds, bytes) = try build(code, root: isOwn ? String(root) : nil)
            results["\(name): clean release build, s"] = seconds
            results["\(name): stripped program, KB"] = Double(bytes) / 1e3
        }
        return results
    }

    private static func build(_ code: String, root: String?) throws -> (Double, Int) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let sources = folder.appendingPathComponent("Sources/program")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let dependency = root.map { #".package(name: "SimpleNetworking", path: "\#($0)")"# } ?? ""
        let product = root == nil ? "" : #".product(name: "SimpleNetworking", package: "SimpleNetworking")"#
        let manifest = """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "program",
                platforms: [.macOS(.v12)],
                dependencies: [\(dependency)],
                targets: [.executableTarget(name: "program", dependencies: [\(product)])]
            )
            """
        try manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        try code.write(to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
        let seconds = try Child.run(["swift", "build", "-c", "release"], in: folder).seconds
        let program = folder.appendingPathComponent(".build/release/program")
        _ = try Child.run(["strip", program.path])
        let size = try FileManager.default.attributesOfItem(atPath: program.path)[.size] as? Int
        return (seconds, size ?? 0)
    }
}
