import Foundation
import Testing

@testable import SimpleNetworkingCore

/// Holds the papers about security and delivery against the package.
@Suite
struct PromiseTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceFile.package.appendingPathComponent(path), encoding: .utf8)
    }

    @Test
    func everyThreatNamesATestThatExists() throws {
        let tests = try Manifest.testTargets().flatMap { folder in
            let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            return try paths.filter { $0.hasSuffix("Tests.swift") }.flatMap { path in
                let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
                return Self.tests(in: text)
            }
        }
        let known = Set(tests)
        #expect(known.count > 500)
        let threats = try Self.text("Tests/Threats.md")
        let rows = threats.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count > 25)
        for row in rows {
            let cell = row.split(separator: "|").last ?? ""
            let named = cell.matches(of: /`(\w+)`/).map { String($0.1) }
            #expect(!named.isEmpty, "\(row)")
            #expect(named.filter { !known.contains($0) } == [], "\(row)")
        }
    }

    /// The functions that an attribute declares as tests, which may take several lines.
    private static func tests(in text: String) -> [String] {
        var (names, isTest) = ([String](), false)
        for line in text.split(separator: "\n") {
            let words = line.drop { $0 == " " }
            if words.hasPrefix("@Test") { isTest = true }
            guard words.hasPrefix("func ") else { continue }
            if isTest { names.append(String(words.dropFirst("func ".count).prefix { $0 != "(" })) }
            isTest = false
        }
        return names
    }

    /// Nothing of others ships: `.ci/bill-of-materials` relies on it.
    @Test
    func thePackageDependsOnNoOther() throws { #expect(!(try Self.text("Package.swift").contains(".package("))) }

    @Test
    func documentationIsBuiltForEveryProduct() throws {
        let targets = try #require(try Self.text(".spi.yml").firstMatch(of: /documentation_targets: \[(.*)\]/)?.1)
        #expect(targets.split(separator: ", ").map(String.init) == (try Manifest().products))
    }

    /// A file's modification date is the only listed function that is used.
    @Test(arguments: ["SimpleNetworkingCore", "SimpleNetworkingOAuth"])
    func thePrivacyManifestNamesTheListedFunctionsThatAreUsed(target: String) throws {
        let data = Data(try Self.text("Sources/\(target)/PrivacyInfo.xcprivacy").utf8)
        let list = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(list["NSPrivacyTracking"] as? Bool == false)
        #expect((list["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
        let types = try #require(list["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        #expect(
            types.map { $0["NSPrivacyAccessedAPIType"] as? String } == ["NSPrivacyAccessedAPICategoryFileTimestamp"]
        )
        let listed = ["systemUptime", "mach_absolute_time", "UserDefaults", "statfs", "volumeAvailableCapacity"]
        for file in try SourceFile.all(of: target) {
            for name in listed { #expect(!file.code.contains(name), "\(file.path) uses \(name)") }
        }
    }
}
