import Foundation
import Testing

/// Keeps the rooms of the OAuth product in order: a room may use only the rooms listed below it.
@Suite
struct ArchitectureTests {
    static let rooms = ["Sessions", "Grants", "Redirects", "Stores", "Tokens", "Errors", "Support"]

    private static let files = Result { try SourceFile.all(of: "SimpleNetworkingOAuth") }
    private let sources: [SourceFile]

    init() throws { sources = try Self.files.get() }

    @Test
    func roomsAreTheFolders() {
        #expect(Set(sources.map(\.room)) == Set(Self.rooms + ["Exports.swift"]))
    }

    @Test
    func theContributorsGuideListsTheRoomsInTheSameOrder() throws {
        let guide = SourceFile.package.appendingPathComponent(".github/CONTRIBUTING.md")
        let words = try String(contentsOf: guide, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        #expect(words.joined(separator: " ").contains(Self.rooms.joined(separator: ", ")))
    }

    @Test
    func roomsUseOnlyTheRoomsBelow() {
        #expect(Rooms(Self.rooms).violations(in: sources) == [])
    }

    @Test
    func typesHaveOneHomeEach() {
        let twice = Dictionary(grouping: sources.flatMap(\.types)) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty)
    }

    @Test
    func supportHasNoPublicSymbol() {
        for file in sources where file.room == "Support" {
            #expect(!file.code.contains(#/(?m)^\s*(public|open) /#), "\(file.path)")
        }
    }

    /// The public interface, and the tools that the client's own architecture test names as `package`.
    @Test
    func onlyThePublicInterfaceOfTheClientIsUsed() {
        for file in sources {
            #expect(!file.code.contains(/@testable|@_spi/), "\(file.path)")
            let imports = file.code.matches(of: /(?m)^\s*(?:@\w+(?:\([^)]*\))? )*import (\w+)/).map { String($0.1) }
            let expected: Set = [
                "SimpleNetworkingCore", "SimpleNetworkingSupport", "Security", "AuthenticationServices",
            ]
            #expect(expected.isSuperset(of: imports), "\(file.path)")
            #expect(!imports.contains("SimpleNetworkingCore") || file.path == "Exports.swift")
        }
    }

    @Test
    func concurrencyIsCheckedEverywhere() {
        for file in sources {
            #expect(!file.code.contains(/@unchecked|nonisolated\(unsafe\)|@preconcurrency/), "\(file.path)")
        }
    }

    @Test
    func noFileIsLong() {
        for file in sources {
            #expect(file.lineCount <= 250, "\(file.path) has \(file.lineCount) lines")
        }
    }

    @Test
    func nothingIsForcedAndNothingLeftForLater() {
        for file in sources {
            #expect(!file.code.contains(/\btry!|\bas!|fatalError\(/), "\(file.path)")
            #expect(!file.text.contains(/TODO|FIXME|XXX/), "\(file.path)")
        }
    }
}
