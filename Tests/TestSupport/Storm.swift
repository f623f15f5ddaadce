import Foundation

/// Sizes of tests that do the same many times, at random: a quick one that still proves the claim, and a full one.
///
/// `SIMPLENETWORKING_STORMS=1` asks for the full sizes; `.ci/run --storms` sets it.
package enum Storm {
    /// Whether full sizes are asked for.
    package static let isFull = ProcessInfo.processInfo.environment["SIMPLENETWORKING_STORMS"] != nil

    /// Returns the quick size, or the full one where it is asked for.
    package static func size(_ quick: Int, full: Int) -> Int { isFull ? full : quick }
}
