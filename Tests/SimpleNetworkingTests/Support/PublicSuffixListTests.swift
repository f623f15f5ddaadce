import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworking

/// The table of public suffixes against the list that it is made of, where that one is installed.
@Suite(.enabled(if: PublicSuffixList.isOfTheTable, Comment(rawValue: PublicSuffixList.missing)))
struct PublicSuffixListTests {
    @Test
    func rulesOfTheListAreSuffixes() throws {
        let list = try PublicSuffixList.rules().filter { !$0.hasPrefix("!") }
        let rules = Set(list)
        #expect(rules.count > 9_000)
        // All of them take long without optimization.
        for (index, rule) in list.enumerated() where index % 5 == 0 || rule.hasPrefix("*") {
            let suffix = try ascii(rule.hasPrefix("*.") ? "any" + rule.dropFirst() : rule)
            let below = "no-rule-has-this." + suffix
            #expect(PublicSuffixes.suffix(of: below) == (rules.contains("*." + rule) ? below : suffix), "\(rule)")
        }
    }

    @Test
    func exceptionsAreNotSuffixes() throws {
        let exceptions = try PublicSuffixList.rules().filter { $0.hasPrefix("!") }
        #expect(!exceptions.isEmpty)
        for rule in exceptions {
            let domain = try ascii(rule.dropFirst())
            #expect(registrableDomain(of: "www." + domain) == domain)
        }
    }

    @Test(.enabled(if: PublicSuffixList.hasPython, "there is no python3"))
    func theTableIsWhatTheScriptMakesOfTheList() throws {
        let script = SourceFile.package.appendingPathComponent(".ci/public-suffixes").path
        let table = try ChildProcess.output(of: "python3 '\(script)' --print")
        #expect(String(decoding: table, as: UTF8.self) == (try PublicSuffixList.table()))
    }

    @Test
    func theTableIsCompact() throws {
        #expect(try PublicSuffixList.table().utf8.count <= 80_000)
    }

    /// As hosts stand in a URL.
    private func ascii(_ domain: some StringProtocol) throws -> String {
        try #require(URL(string: "https://\(domain)/")?.host)
    }
}

/// Debian's package `publicsuffix`.
enum PublicSuffixList {
    static let missing = "no list of public suffixes of the table's own date is installed"

    static var hasPython: Bool {
        ["/usr/bin/python3", "/usr/local/bin/python3"].contains(where: FileManager.default.isExecutableFile)
    }

    /// Whether the list is the one that the table was made of: another one has other rules.
    static var isOfTheTable: Bool {
        guard let changed = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate,
            let table = try? table()
        else { return false }
        return table.contains("list of \(changed.formatted(.iso8601.year().month().day()))")
    }

    static func rules() throws -> [String] {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("//") }
    }

    static func table() throws -> String {
        let path = "Sources/SimpleNetworkingSupport/Cookies/PublicSuffixes+Table.swift"
        return try String(contentsOf: SourceFile.package.appendingPathComponent(path), encoding: .utf8)
    }

    private static let file = URL(fileURLWithPath: "/usr/share/publicsuffix/public_suffix_list.dat")
}
