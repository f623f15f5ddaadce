import Foundation
import Testing

@testable import SimpleNetworking

/// The table of public suffixes against the list that it is made of, where that one is installed.
@Suite(.enabled(if: PublicSuffixList.isOfTheTable, Comment(rawValue: PublicSuffixList.missing)))
struct PublicSuffixListTests {
    @Test
    func noRuleOfTheListLetsACookieSpanASuffix() throws {
        let rules = Set(try PublicSuffixList.rules())
        #expect(rules.count > 9_000)
        for rule in rules where !rule.hasPrefix("!") {
            let suffix = try ascii(rule.hasPrefix("*.") ? "any" + rule.dropFirst() : rule)
            let shop = try #require(URL(string: "https://no-rule-has-this.\(suffix)/"))
            #expect(Cookie(setCookie: "a=1; Domain=\(suffix)", from: shop) == nil, "\(rule)")
            let own = Cookie(setCookie: "a=1; Domain=no-rule-has-this.\(suffix)", from: shop)
            #expect(own?.isHostOnly == rules.contains("*." + rule), "\(rule)")
            let itself = try #require(URL(string: "https://\(suffix)/"))
            #expect(Cookie(setCookie: "a=1; Domain=\(suffix)", from: itself)?.isHostOnly == true, "\(rule)")
        }
    }

    @Test
    func exceptionsAreNoSuffixes() throws {
        let exceptions = try PublicSuffixList.rules().filter { $0.hasPrefix("!") }
        #expect(!exceptions.isEmpty)
        for rule in exceptions {
            let domain = try ascii(rule.dropFirst())
            #expect(registrableDomain(of: "www." + domain) == domain)
        }
    }

    @Test(.enabled(if: PublicSuffixList.hasPython, "there is no python3"))
    func theTableIsWhatTheScriptMakesOfTheList() throws {
        let script = Process()
        let output = Pipe()
        script.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        script.arguments = ["python3", Corpus.package.appendingPathComponent(".ci/public-suffixes").path, "--print"]
        script.standardOutput = output
        try script.run()
        let table = output.fileHandleForReading.readDataToEndOfFile()
        script.waitUntilExit()
        #expect(script.terminationStatus == 0)
        #expect(String(decoding: table, as: UTF8.self) == (try PublicSuffixList.table()))
    }

    @Test
    func theTableIsCompact() throws {
        #expect(try PublicSuffixList.table().utf8.count <= 80_000)
    }

    /// As hosts stand in an address.
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
        let path = "Sources/SimpleNetworking/Messages/PublicSuffixes+Table.swift"
        return try String(contentsOf: Corpus.package.appendingPathComponent(path), encoding: .utf8)
    }

    private static let file = URL(fileURLWithPath: "/usr/share/publicsuffix/public_suffix_list.dat")
}
