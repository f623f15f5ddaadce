import ArgumentParser
import Foundation

/// A header field as it is written on the command line: `Name: value`.
struct HeaderField: ExpressibleByArgument, Sendable {
    let name: String
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        (name, value) = (parts[0], parts[1])
    }
}
