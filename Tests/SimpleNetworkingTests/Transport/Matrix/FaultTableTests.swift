import Foundation
import Testing

@testable import SimpleNetworkingCore

@Suite
struct FaultTableTests {
    /// The table of faults is written by a run, which `.ci/faults` compares.
    @Test
    func theTableOfFaultsHasEveryFaultOnce() throws {
        let article = SourceFile.package.appendingPathComponent("Tests/Faults.md")
        let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(rows.first == FaultTable.head)
        let faults = rows.dropFirst(2).flatMap { $0[0].components(separatedBy: ", ") }
        #expect(faults.sorted() == MatrixFault.all.map(\.name).sorted())
        #expect(rows.dropFirst(2).allSatisfy { $0.count == 2 && !$0.contains("") })
    }
}
