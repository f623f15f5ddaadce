extension TrafficQueue {
    /// Identifies an origin and an account, whose requests a server counts together.
    struct Lane: Hashable {
        let origin: Origin
        let account: AccountNumber?
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
    }
}
