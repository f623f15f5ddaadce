import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OneWordTests {
    /// A subclass inherits no isolation from a module without one, so it must be `nonisolated` here.
    @Test
    func theSubclassDiffersByOneWordFromThePrintedOne() throws {
        let here = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent()
        let own = try code(here.appendingPathComponent("MyAPIManager.swift"))
        let printed = try code(here.appendingPathComponent("../UserCodeAsPrinted/MyAPIManager.swift"))
        #expect(own == printed.replacingOccurrences(of: "\nclass ", with: "\nnonisolated class "))
    }

    private func code(_ file: URL) throws -> String {
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        return lines.filter { !$0.hasPrefix("//") }.joined(separator: "\n")
    }
}
