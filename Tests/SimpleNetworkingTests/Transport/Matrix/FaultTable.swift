import Foundation

@testable import SimpleNetworking

/// The errors that faults ended with, as a table of Markdown: a row for each fault, a column for each face.
struct FaultTable {
    private var errors: [String: [MatrixFace: [Engine: String]]] = [:]

    mutating func set(_ error: String, _ fault: MatrixFault, _ face: MatrixFace, _ engine: Engine) {
        errors[fault.name, default: [:]][face, default: [:]][engine] = error
    }

    /// How many cells were played, one for each engine.
    var count: Int { errors.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }

    var text: String {
        let faces = MatrixFace.allCases
        let head = ["fault"] + faces.map(\.rawValue)
        let rows = MatrixFault.all.map { fault in
            [fault.name] + faces.map { cell(errors[fault.name]?[$0] ?? [:]) }
        }
        return ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
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
