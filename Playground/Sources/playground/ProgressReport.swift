import Foundation
import SimpleNetworking
import Synchronization

/// Writes how far a download is: as a bar that changes in place, or line by line.
final class ProgressReport: Sendable {
    private struct State {
        var rate = TransferRate()
        var last: TransferProgress?
        var lastTime = -Double.infinity
        /// The tenth of which a line was written last; without a total, the number of 10 MiB.
        var lastStep: Int?
        var hasBar = false
    }

    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let now: @Sendable () -> Double
    private let start: Double
    private let state = Mutex(State())

    init(
        isTerminal: Bool,
        now: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime },
        write: @escaping @Sendable (String) -> Void
    ) {
        (self.isTerminal, self.now, self.write, start) = (isTerminal, now, write, now())
    }

    /// Takes the newest values.
    func show(_ progress: TransferProgress) {
        let time = now()
        let text: String? = state.withLock { state in
            state.rate.add(progress.bytesReceived, at: time)
            // What arrives at once needs no progress, such as the content of an error.
            let isNew = state.last?.bytesReceived ?? 0 == 0
            state.last = progress
            if progress.bytesReceived == 0 || isNew && progress.fractionReceived == 1 { return nil }
            guard isTerminal else {
                let step =
                    progress.fractionReceived.map { Int($0 * 10) } ?? progress.bytesReceived / (10 << 20)
                guard state.lastStep != step else { return nil }
                state.lastStep = step
                return ProgressText.line(progress, state.rate.perSecond) + "\n"
            }
            guard time - state.lastTime >= 0.1 else { return nil }
            (state.lastTime, state.hasBar) = (time, true)
            return "\r" + ProgressText.bar(progress, state.rate.perSecond, width: Self.width)
        }
        if let text { write(text) }
    }

    /// Says that all is there.
    func end(_ text: String, resumedAt offset: Int?) {
        let last = state.withLock(\.last)
        if let last { redraw(last) }
        let total = last?.bytesReceived ?? 0
        let resumed = offset.map { ", of which \(ProgressText.size($0)) were there before" } ?? ""
        write("\(text): \(ProgressText.size(total)) in \(ProgressText.time(now() - start))\(resumed).\n")
    }

    /// Ends before all is there.
    func stop(_ text: String?) {
        if state.withLock(\.hasBar) { write("\n") }
        if let text { write(text + "\n") }
    }

    private func redraw(_ progress: TransferProgress) {
        let rate = state.withLock { $0.hasBar ? $0.rate.perSecond : nil }
        guard state.withLock(\.hasBar) else { return }
        write("\r" + ProgressText.bar(progress, rate, width: Self.width) + "\n")
    }

    private static var width: Int {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}

/// Knows how fast bytes have arrived in the last seconds.
struct TransferRate {
    private var samples: [(time: Double, bytes: Int)] = []

    mutating func add(_ bytes: Int, at time: Double) {
        // A further attempt may start over.
        if let last = samples.last, bytes < last.bytes { samples = [] }
        // Small pieces may come thousands of times a second.
        if samples.count > 1, time - samples[samples.count - 2].time < 0.1 { samples.removeLast() }
        samples.append((time, bytes))
        while samples.count > 2, time - samples[1].time > 5 { samples.removeFirst() }
    }

    /// Bytes a second; nil until there is something to compare.
    var perSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return nil }
        return Double(last.bytes - first.bytes) / (last.time - first.time)
    }
}

/// What is shown of a download's progress.
enum ProgressText {
    /// A line for a log: “ 40 %  4.0 MiB of 10.0 MiB  1.3 MiB/s  5 s left”.
    static func line(_ progress: TransferProgress, _ rate: Double?) -> String {
        guard let total = progress.bytesToReceive, let fraction = progress.fractionReceived else {
            return ([size(progress.bytesReceived)] + ending(progress, rate)).joined(separator: "  ")
        }
        let part = "\(size(progress.bytesReceived)) of \(size(total))"
        return ([percent(fraction), part] + ending(progress, rate)).joined(separator: "  ")
    }

    /// The same with a bar, as wide as the terminal, and cut to it.
    static func bar(_ progress: TransferProgress, _ rate: Double?, width: Int) -> String {
        let text = line(progress, rate)
        // One column stays free: some terminals begin a new line after the last one.
        let room = width - 1 - text.count - 3
        guard let fraction = progress.fractionReceived, room >= 10 else { return fitted(text, to: width - 1) }
        let done = Int(fraction * Double(room))
        return fitted(
            "[\(String(repeating: "#", count: done))\(String(repeating: ".", count: room - done))] \(text)",
            to: width - 1
        )
    }

    static func size(_ bytes: Int) -> String {
        if bytes < 1024 { return "\(bytes) B" }
        let units = ["KiB", "MiB", "GiB", "TiB"]
        var (value, unit) = (Double(bytes) / 1024, 0)
        while value >= 1023.95, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
        return String(format: "%.1f %@", value, units[unit])
    }

    static func time(_ seconds: Double) -> String {
        if seconds < 10 { return String(format: "%.1f s", seconds) }
        let whole = Int(min(seconds.rounded(), 359_999))
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return String(format: "%d:%02d min", whole / 60, whole % 60) }
        return String(format: "%d:%02d h", whole / 3600, whole / 60 % 60)
    }

    private static func ending(_ progress: TransferProgress, _ rate: Double?) -> [String] {
        guard let rate, rate > 0 else { return [] }
        let speed = "\(size(Int(rate)))/s"
        guard let total = progress.bytesToReceive, total > progress.bytesReceived else { return [speed] }
        return [speed, "\(time((Double(total - progress.bytesReceived) / rate).rounded(.up))) left"]
    }

    private static func percent(_ fraction: Double) -> String { String(format: "%3d %%", Int(fraction * 100)) }

    private static func fitted(_ text: String, to width: Int) -> String {
        let cut = String(text.prefix(max(width, 0)))
        // Over what was there before.
        return cut + String(repeating: " ", count: max(width - cut.count, 0))
    }
}
