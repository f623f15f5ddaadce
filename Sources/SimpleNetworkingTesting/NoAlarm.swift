import Foundation
import SimpleNetworkingCore

extension AlarmLabel {
    /// The delay of a stubbed response.
    public static let response = AlarmLabel(rawValue: "response")

    /// Whether it is a limit on an operation that usually ends earlier.
    var isLimit: Bool { self == .timeout || self == .deadline || self == .refresh }
}

/// Reports that no alarm was set in time.
package struct NoAlarm: PlacedFailure {
    package let place: SourcePlace?
    let label: AlarmLabel
    let seconds: TimeInterval
    let pending: [String]

    /// The awaited alarm, and the alarms that are set.
    package var text: String {
        let others = pending.isEmpty ? "nothing else is scheduled" : "scheduled: \(pending.joined(separator: "; "))"
        return "no \(label.rawValue) was scheduled within \(seconds) s of real time; \(others)"
    }
}
