import Foundation

@testable import SimpleNetworkingCore

/// The errors that faults ended with, as a table of Markdown: faults with the same outcome share a row.
struct FaultTable {
    static let head = ["faults", "outcome"]

    private var errors: [String: [MatrixFace: [Engine: String]]] = [:]

    mutating func set(_ error: String, _ fault: MatrixFault, _ face: MatrixFace, _ engine: Engine) {
        errors[fault.name, default: [:]][face, default: [:]][engine] = error
    }

    /// How many cells were played, one for each engine.
    var count: Int { errors.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }

    var text: String {
        let rows = Self.grouped(MatrixFault.all.map { ($0.name, outcome(errors[$0.name] ?? [:])) })
            .map { [$0.names.joined(separator: ", "), $0.text] }
        return ([Self.head, Self.head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }
            .joined()
    }

    /// The outcome of most faces, then those of the others, with their names.
    private func outcome(_ errors: [MatrixFace: [Engine: String]]) -> String {
        var groups = Self.grouped(MatrixFace.allCases.map { ($0.rawValue, cell(errors[$0] ?? [:])) })
        let most = groups.map(\.names.count).max()
        let common = groups.firstIndex { $0.names.count == most }.map { groups.remove(at: $0).text } ?? ""
        return ([common] + groups.map { "\($0.names.joined(separator: ", ")): \($0.text)" }).joined(separator: "; ")
    }

    /// The names with the same text, in the order of their first.
    private static func grouped(_ pairs: [(name: String, text: String)]) -> [(names: [String], text: String)] {
        pairs.reduce(into: []) { groups, pair in
            if let index = groups.firstIndex(where: { $0.text == pair.text }) {
                groups[index].names.append(pair.name)
            } else {
                groups.append(([pair.name], pair.text))
            }
        }
    }

    /// One word where the engines agree, else one for each of them.
    private func cell(_ errors: [Engine: String]) -> String {
        let names = Engine.allCases.map { engine in
            errors[engine].map(Self.word) ?? "–"
        }
        if Set(names).count == 1 { return names[0] }
        return zip(Engine.allCases, names).map { "\($0.rawValue): \($1)" }.joined(separator: ", ")
    }

    /// The case of the error, and the kind of failure that it carries.
    private static func word(_ error: String) -> String {
        if error.isEmpty { return "success" }
        let parts = error.split(separator: ":", maxSplits: 1)
        return "`.\(parts[0])`" + parts.dropFirst().joined()
    }
}
