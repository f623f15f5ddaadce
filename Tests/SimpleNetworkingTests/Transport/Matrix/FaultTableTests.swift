import Foundation
import Testing

@testable import SimpleNetworking

@Suite
struct FaultTableTests {
    /// The table of faults is written by a run, which `.ci/faults` compares.
    @Test
    func theTableOfFaultsHasEveryFaultAndFace() throws {
        let article = SourceFile.package.appendingPathComponent("Sources/SimpleNetworking/Documentation.docc/Faults.md")
        let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(rows.first == ["fault"] + MatrixFace.allCases.map(\.rawValue))
        #expect(rows.dropFirst(2).map(\.first) == MatrixFault.all.map(\.name))
        #expect(rows.dropFirst(2).allSatisfy { $0.count == MatrixFace.allCases.count + 1 && !$0.contains("") })
    }
}
