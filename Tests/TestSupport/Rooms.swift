import Foundation

/// The rooms of a target, highest first: a room may use only the rooms listed below it.
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
package struct Rooms {
    private let names: [String]
    private let seams: [String: Set<Substring>]
    private let members: Set<Substring>

    /// Makes the order of rooms.
    ///
    /// - Parameters:
    ///   - names: The rooms, highest first.
    ///   - seams: The types of higher rooms that a room may name all the same.
    ///   - members: Names of members that any room may use: those that only look like a higher room's.
    package init(_ names: [String], seams: [String: Set<String>] = [:], members: Set<String> = []) {
        self.names = names
        self.seams = seams.mapValues { Set($0.map { $0[...] }) }
        self.members = Set(members.map { $0[...] })
    }

    /// The uses of a higher room: of its types, and of the members that it adds to types of other rooms.
    ///
    /// A member that more than one room declares is left out: its name doesn't tell whose it is.
    package func violations(in files: [SourceFile]) -> [String] {
        let (types, members) = (typeHomes(in: files), memberHomes(in: files))
        return files.flatMap { file -> [String] in
            let named = uses(of: types, among: file.typeNames, in: file).filter {
                seams[file.room]?.contains($0.key) != true
            }
            let used = uses(of: members, among: file.memberNames, in: file).filter { !self.members.contains($0.key) }
            return named.map { "\(file.path) must not name \($0.key) of \($0.value)" }.sorted()
                + used.map { "\(file.path) must not use .\($0.key), which \($0.value) adds" }.sorted()
        }
    }

    /// The seams that no file needs.
    package func unusedSeams(in files: [SourceFile]) -> [String] {
        seams.flatMap { room, types in
            types.filter { type in !files.contains { $0.room == room && $0.typeNames.contains(type) } }
                .map { "\(room): \($0)" }
        }
    }

    /// Those among some names whose home is a room above the file's, with that room.
    private func uses(
        of homes: [Substring: String],
        among used: Set<Substring>,
        in file: SourceFile
    ) -> [Substring: String] {
        guard let level = names.firstIndex(of: file.room) else { return [:] }
        return homes.filter { name, room in
            used.contains(name) && names.firstIndex(of: room).map { $0 < level } == true
        }
    }

    private func typeHomes(in files: [SourceFile]) -> [Substring: String] {
        Dictionary(files.flatMap { file in file.types.map { ($0, file.room) } }) { first, _ in first }
    }

    /// The members that are added outside their type's room and declared in no other one.
    private func memberHomes(in files: [SourceFile]) -> [Substring: String] {
        let types = typeHomes(in: files)
        var declaring: [Substring: Set<String>] = [:]
        for file in files {
            for name in file.declaredNames { declaring[name, default: []].insert(file.room) }
        }
        let added = files.flatMap { file in
            file.extensionMembers.filter { types[$0.type] != file.room && declaring[$0.name] == [file.room] }
                .map { ($0.name, file.room) }
        }
        return Dictionary(added) { first, _ in first }
    }
}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension Rooms {
    /// The entries of the column `room` in a paper's first table that has one.
    package static func table(in paper: String) throws -> [String] {
        let text = try String(contentsOf: SourceFile.package.appendingPathComponent(paper), encoding: .utf8)
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard let head = rows.firstIndex(where: { $0.contains("room") }), let column = rows[head].firstIndex(of: "room")
        else { return [] }
        return rows[(head + 2)...].prefix { $0.count > column }.map { $0[column] }
    }
}
