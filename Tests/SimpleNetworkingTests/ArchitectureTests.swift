import Foundation
import Testing

/// Keeps the rooms in order: a room may use only the rooms listed below it.
@Suite
struct ArchitectureTests {
    static let rooms = [
        "Pagination",
        "Client",
        "Requests",
        "Execution",
        "Authentication",
        "Transport",
        "Observation",
        "Policies",
        "Messages",
        "Support",
    ]

    @Test
    func everyFolderIsARoom() throws {
        let folders = Set(try sources.map(\.room))
        #expect(folders.subtracting(Self.rooms) == ["Exports.swift"])
    }

    @Test
    func roomsUseOnlyTheRoomsBelow() throws {
        let files = try sources
        var home: [String: String] = [:]
        for file in files {
            for name in file.types { home[name] = file.room }
        }
        #expect(home["SimpleNetworking"] == "Client")
        for file in files {
            guard let level = Self.rooms.firstIndex(of: file.room) else { continue }
            for word in Set(file.code.matches(of: /\b[A-Z]\w+/).map { String($0.0) }) {
                guard let room = home[word], let other = Self.rooms.firstIndex(of: room) else { continue }
                #expect(other >= level, "\(file.path) (\(file.room)) must not use \(word) from \(room)")
            }
        }
    }

    @Test
    func typesHaveOneHomeEach() throws {
        let names = try sources.flatMap(\.types)
        let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty)
    }

    @Test(arguments: ["Execution", "Support"])
    func theEngineRoomsHaveNoPublicSymbol(room: String) throws {
        for file in try sources where file.room == room {
            #expect(!file.code.contains(#/(?m)^\s*(public|open) /#), "\(file.path)")
        }
    }

    @Test
    func uncheckedConcurrencyIsWhereTheDesignNamesIt() throws {
        let unchecked = try sources.filter { file in
            ["@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency"].contains { file.code.contains($0) }
        }
        #expect(
            Set(unchecked.map(\.path)) == [
                "Client/SimpleNetworking.swift", "Execution/Isolated.swift", "Support/Locked.swift",
                // Foundation promises what its older types do not say.
                "Messages/Coders.swift",
                // A C object behind each, with a lock of its own.
                "Transport/Curl/CurlTransfer.swift", "Transport/Curl/CurlTransport.swift",
                "Transport/Curl/CurlUploadSource.swift",
            ]
        )
    }

    @Test
    func foundationIsImportedInOnePlace() throws {
        for file in try sources where file.path != "Exports.swift" {
            #expect(!file.code.contains(/(?m)^\s*(@\w+ )?import Foundation/), "\(file.path)")
        }
    }

    @Test
    func noFileIsLong() throws {
        // Only a script reads that one.
        for file in try sources where file.path != "Messages/PublicSuffixes+Table.swift" {
            let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(lines <= 250, "\(file.path) has \(lines) lines")
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
                of: /(?m)^(?:(?:public|open|final|indirect|@\w+) )*(?:class|struct|enum|actor|protocol) ([A-Z]\w+)/
            )
            .map { String($0.1) }
        }
    }

    private var sources: [Source] {
        get throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Sources/SimpleNetworking").standardizedFileURL
            let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            return try paths.filter { $0.hasSuffix(".swift") }.map { path in
                Source(path: path, text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
            }
        }
    }
}
