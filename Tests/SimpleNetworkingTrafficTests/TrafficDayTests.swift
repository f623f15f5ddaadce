import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTraffic

/// A day, or in the quick tests four hours, with an API that takes 500 or 5,000 requests an hour, and says so in one of
/// three ways.
@Suite(.timeLimit(.minutes(30)))
struct TrafficDayTests {
    enum Way: CaseIterable, Sendable {
        case ownFields, draft, retryAfter
    }

    @Test(arguments: Way.allCases, [-90, 0, 90] as [TimeInterval])
    func nothingIsSentEarlyAndAllThatIsPermittedIsSent(way: Way, offset: TimeInterval) {
        for seed in 0..<UInt64(Storm.size(1, full: 112)) {
            var day = Day(way, offset: offset, perHour: seed % 10 == 9 ? 5000 : 500, seed: seed)
            day.run()
            let share = Double(day.accepted) / Double(day.permitted)
            guard day.early == 0, share >= 0.98 else {
                Issue.record("seed \(seed): \(day.early) early, \(day.accepted) of \(day.permitted)")
                return
            }
        }
    }

    /// The queue of a client, and a server with a clock of its own.
    private struct Day {
        private enum What {
            case arrival(Int)
            case response(Int, RateLimitHint?, closedUntil: TimeInterval?)
        }

        private struct Event: Comparable {
            let time: TimeInterval
            let number: Int
            let what: What

            static func == (first: Event, second: Event) -> Bool { first.number == second.number }
            static func < (first: Event, second: Event) -> Bool {
                (first.time, first.number) < (second.time, second.number)
            }
        }

        private static let length: TimeInterval = Storm.isFull ? 86_400 : 14_400

        private let way: Way
        private let offset: TimeInterval
        private let perHour: Int
        private let phase: TimeInterval
        private let format = HTTPDateFormat()
        private var random: SeededGenerator
        private var queue: TrafficQueue
        private let lane: TrafficQueue.Lane
        private var events = Heap<Event>()
        private var lastNumber = 0
        private var counts: [Int: Int] = [:]
        /// What the client has been told, by the time of the test.
        private var closedUntil: TimeInterval = 0
        private(set) var early = 0

        /// Without the first and the last hour, of which the day may hold a moment only.
        private var wholeHours: [Int] { counts.sorted { $0.key < $1.key }.dropFirst().dropLast().map(\.value) }
        var permitted: Int { wholeHours.count * perHour }
        var accepted: Int { wholeHours.reduce(0, +) }

        init(_ way: Way, offset: TimeInterval, perHour: Int, seed: UInt64) {
            guard let origin = Origin("https://api.example.com") else { preconditionFailure("no origin") }
            self.way = way
            self.offset = offset
            self.perHour = perHour
            random = SeededGenerator(seed: seed)
            phase = .random(in: 0..<3600, using: &random)
            lane = TrafficQueue.Lane(origin: origin, account: nil)
            var rules = TrafficRules()
            rules.inFlight = 6
            rules.respectsRateLimits = true
            rules.maxServerWait = 3700
            queue = TrafficQueue(rules, at: 0)
        }

        mutating func run() {
            var now: TimeInterval = 0
            while now < Self.length {
                while queue.waitingCount < 20 { add(at: now) }
                while let number = queue.takeNext(at: now) { send(number, at: now) }
                let moment = queue.nextMoment ?? .infinity
                guard let event = events.first, event.time <= moment else {
                    now = max(moment, now)
                    continue
                }
                _ = events.popFirst()
                now = event.time
                handle(event)
            }
        }

        private mutating func add(at now: TimeInterval) {
            lastNumber += 1
            queue.add(lastNumber, to: lane, .normal, at: now)
        }

        private mutating func send(_ number: Int, at now: TimeInterval) {
            if now < closedUntil - 0.001 { early += 1 }
            schedule(.arrival(number), at: now + .random(in: 0.02...0.2, using: &random))
        }

        private mutating func schedule(_ what: What, at time: TimeInterval) {
            lastNumber += 1
            events.insert(Event(time: time, number: lastNumber, what: what))
        }

        private mutating func handle(_ event: Event) {
            switch event.what {
            case .arrival(let number):
                let hour = Int((event.time + phase) / 3600)
                let end = TimeInterval(hour + 1) * 3600 - phase
                let isAccepted = counts[hour, default: 0] < perHour
                counts[hour, default: 0] += isAccepted ? 1 : 0
                let left = perHour - (counts[hour] ?? 0)
                let response = response(isAccepted: isAccepted, left: left, end: end, at: event.time)
                let isClosed = !isAccepted || left == 0 && way != .retryAfter
                let word = What.response(
                    number,
                    RateLimitHint(status: response.httpStatus, response.headers),
                    closedUntil: isClosed ? end : nil
                )
                schedule(word, at: event.time + .random(in: 0.02...0.2, using: &random))
            case .response(let number, let word, let end):
                closedUntil = max(closedUntil, end ?? 0)
                queue.leave(number, of: lane, after: .response(word), at: event.time)
            }
        }

        /// What the server says, by its own clock.
        private func response(
            isAccepted: Bool,
            left: Int,
            end: TimeInterval,
            at now: TimeInterval
        ) -> TransportResponse {
            let epoch: TimeInterval = 1_800_000_000 + offset
            let wait = Int((end - now).rounded(.up))
            var headers: HTTPHeaders = ["Date": date(epoch + now)]
            switch way {
            case .ownFields:
                headers["X-RateLimit-Remaining"] = "\(left)"
                headers["X-RateLimit-Reset"] = "\(Int((epoch + end).rounded(.up)))"
            case .draft:
                headers["RateLimit"] = "\"hourly\";r=\(left);t=\(wait)"
                headers["RateLimit-Policy"] = "\"hourly\";q=\(perHour);w=3600"
            case .retryAfter: if !isAccepted { headers["Retry-After"] = "\(wait)" }
            }
            return TransportResponse(httpStatus: isAccepted ? 200 : 429, headers: headers, data: Data())
        }

        private func date(_ seconds: TimeInterval) -> String {
            format.text(Date(timeIntervalSince1970: seconds.rounded(.down)))
        }
    }
}
