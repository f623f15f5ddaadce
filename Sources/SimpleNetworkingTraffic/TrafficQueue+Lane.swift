import SimpleNetworkingFeatureSupport

extension TrafficQueue {
    /// The end of a request that had a slot.
    enum End {
        /// The request was not sent after all.
        case unsent
        case failure
        /// There was a response, with the server's statement about its limits, if any.
        case response(RateLimitHint?)
    }

    /// Identifies an origin and an account, whose requests a server counts together.
    struct Lane: Hashable {
        let origin: Origin
        let account: AccountNumber?
    }

    /// Holds the lanes of an origin, which share its limit of requests in flight.
    struct OriginState {
        var active = 0
        var lanes: Set<Lane> = []
    }

    /// Represents a waiting request.
    struct Entry: Comparable {
        /// The time when the request was executed, plus a delay for a lower priority.
        let time: TimeInterval
        let number: Int

        static func < (first: Entry, second: Entry) -> Bool {
            first.time == second.time ? first.number < second.number : first.time < second.time
        }
    }

    /// Holds the state of a lane.
    struct LaneState {
        var active = 0
        /// The waiting requests, and some that were cancelled.
        var entries = Heap<Entry>()
        var waiting = 0
        var quota = ServerQuota()
        /// The current candidate, and the noted end of the lane's wait; neither is noted twice.
        var candidate: Int?
        var opening: TimeInterval?

        var isIdle: Bool { active == 0 && waiting == 0 }

        /// Notes what a server says to a request with this number, which still has its slot, or to one without a slot.
        mutating func apply(_ hint: RateLimitHint?, of number: Int?, at now: TimeInterval, most: TimeInterval) {
            // Those with a slot are numbered from 1.
            quota.note(hint, of: number ?? 0, at: now, others: number == nil ? active : active - 1, most: most)
        }
    }

    /// The first request of a lane that may send.
    struct Candidate: Comparable {
        let entry: Entry
        let lane: Lane

        static func == (first: Candidate, second: Candidate) -> Bool { first.entry == second.entry }
        static func < (first: Candidate, second: Candidate) -> Bool { first.entry < second.entry }
    }

    /// The time when the wait of a lane ends.
    struct Opening: Comparable {
        let time: TimeInterval
        let lane: Lane

        static func == (first: Opening, second: Opening) -> Bool { first.time == second.time }
        static func < (first: Opening, second: Opening) -> Bool { first.time < second.time }
    }
}
