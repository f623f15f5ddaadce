import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

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

    @Test
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

/// The list in PyPI's package `publicsuffixlist`.
enum PublicSuffixList {
    static let missing = "no list of public suffixes of the table's own date is installed"

    /// Whether the list is the one that the table was made of: another one has other rules.
    static var isOfTheTable: Bool {
        guard let list = try? list(), let table = try? table(),
            let version = list.firstMatch(of: /\n\/\/ VERSION: (\d{4}-\d\d-\d\d)/)
        else { return false }
        return table.contains("list of \(version.output.1)")
    }

    static func rules() throws -> [String] {
        let lines = try list().split(separator: "\n")
        return lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("//") }
    }

    static func table() throws -> String {
        let path = "Sources/SimpleNetworkingSupport/Cookies/PublicSuffixes+Table.swift"
        return try String(contentsOf: SourceFile.package.appendingPathComponent(path), encoding: .utf8)
    }

    private static func list() throws -> String {
        let code = "import publicsuffixlist, os; print(os.path.dirname(publicsuffixlist.__file__), end=str())"
        let folder = try ChildProcess.output(of: "python3 -c '\(code)' 2>/dev/null")
        let path = String(decoding: folder, as: UTF8.self) + "/public_suffix_list.dat"
        return try String(contentsOfFile: path, encoding: .utf8)
    }
}
