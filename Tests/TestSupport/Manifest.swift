import Foundation

/// The package's manifest, as the architecture tests read it.
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
package struct Manifest {
    package let text: String

    package init() throws {
        text = try String(contentsOf: SourceFile.package.appendingPathComponent("Package.swift"), encoding: .utf8)
    }

    /// The names of the library products.
    package var products: [String] { text.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) } }

    /// The features: what the umbrella exports besides the client.
    package var features: [String] { needs(of: "SimpleNetworkingAll").filter { $0 != "SimpleNetworking" } }

    /// The targets that a target needs.
    package func needs(of target: String) -> [String] {
        let list = #/\.target\(\s*name: "(\w+)",\s*dependencies: \[([^\[\]]*)\]/#
        let found = text.matches(of: list).first { $0.1 == target }
        return found?.2.matches(of: /"(\w+)"/).map { String($0.1) } ?? []
    }

    /// The folders of `Tests` that have tests of a module.
    package static func testTargets() throws -> [URL] {
        let folder = SourceFile.package.appendingPathComponent("Tests")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasSuffix("Tests") }
    }
}
