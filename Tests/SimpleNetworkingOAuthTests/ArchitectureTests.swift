import Foundation
import Testing

/// Keeps the rooms of the OAuth product in order: a room may use only the rooms listed below it.
@Suite
struct ArchitectureTests {
    static let rooms = ["Sessions", "Grants", "Redirects", "Stores", "Tokens", "Errors", "Support"]

    @Test
    func everyFolderIsARoom() throws {
        let folders = Set(try sources.map(\.room))
        #expect(folders == Set(Self.rooms + ["Exports.swift"]))
    }

    @Test
    func roomsUseOnlyTheRoomsBelow() throws {
        let files = try sources
        var home: [String: String] = [:]
        for file in files {
            for name in file.types { home[name] = file.room }
        }
        #expect(home["OAuthSession"] == "Sessions")
        for file in files {
            guard let level = Self.rooms.firstIndex(of: file.room) else { continue }
            for word in Set(file.code.matches(of: /\b[A-Z]\w+/).map { String($0.0) }) {
                guard let room = home[word], let other = Self.rooms.firstIndex(of: room) else { continue }
                #expect(other >= level, "\(file.path) (\(file.room)) must not use \(word) from \(room)")
            }
        }
    }

    @Test
    func aFileHoldsOneType() throws {
        for file in try sources { #expect(file.types.count <= 1, "\(file.path): \(file.types)") }
        let twice = Dictionary(grouping: try sources.flatMap(\.types)) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty)
    }

    @Test
    func supportHasNoPublicSymbol() throws {
        for file in try sources where file.room == "Support" {
            #expect(!file.code.contains(#/(?m)^\s*(public|open) /#), "\(file.path)")
        }
    }

    @Test
    func onlyThePublicInterfaceOfTheClientIsUsed() throws {
        for file in try sources {
            #expect(!file.code.contains(/@testable|@_spi/), "\(file.path)")
            let imports = file.code.matches(of: /(?m)^\s*(?:@\w+(?:\([^)]*\))? )*import (\w+)/).map { String($0.1) }
            let expected: Set = ["SimpleNetworking", "Security", "AuthenticationServices"]
            #expect(expected.isSuperset(of: imports), "\(file.path)")
            #expect(!imports.contains("SimpleNetworking") || file.path == "Exports.swift")
        }
    }

    @Test
    func concurrencyIsCheckedEverywhere() throws {
        for file in try sources {
            #expect(!file.code.contains(/@unchecked|nonisolated\(unsafe\)|@preconcurrency/), "\(file.path)")
        }
    }

    @Test
    func noFileIsLong() throws {
        for file in try sources {
            let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(lines <= 210, "\(file.path) has \(lines) lines")
        }
    }

    @Test
    func nothingIsForcedAndNothingLeftForLater() throws {
        for file in try sources {
            #expect(!file.code.contains(/\btry!|\bas!|fatalError\(/), "\(file.path)")
            #expect(!file.text.contains(/TODO|FIXME|XXX/), "\(file.path)")
        }
    }

    private struct Source {
        let path: String
        let text: String

        var room: String { String(path.prefix { $0 != "/" }) }

        /// The text without comments and string literals.
        var code: String {
            text.replacing(/\/\/[^\n]*/, with: "").replacing(/"(?:[^"\\\n]|\\.)*"/, with: "\"\"")
        }

        /// The types that other files can name.
        var types: [String] {
            code.matches(
                of:
                    /(?m)^(?: {4})?(?:(?:public|open|final|indirect|@\w+) )*(?:class|struct|enum|actor|protocol) ([A-Z]\w+)/
            )
            .filter { !$0.0.hasPrefix(" ") || text.hasPrefix("#if") }
            .map { String($0.1) }
        }
    }

    private var sources: [Source] {
        get throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Sources/SimpleNetworkingOAuth").standardizedFileURL
            let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            return try paths.filter { $0.hasSuffix(".swift") }.map { path in
                Source(path: path, text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
            }
        }
    }
}
