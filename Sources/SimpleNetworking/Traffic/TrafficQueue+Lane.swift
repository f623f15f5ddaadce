extension TrafficQueue {
    /// A server and an account at it: what a server counts together.
    struct Lane: Hashable {
        let origin: Origin
        let account: AccountNumber?
    }

    /// A request that waits.
    struct Entry: Comparable {
        /// When it came, later for a lower priority.
        let time: TimeInterval
        let number: Int

        static func < (first: Entry, second: Entry) -> Bool {
            first.time == second.time ? first.number < second.number : first.time < second.time
        }
    }

    /// What is known of a lane.
    struct LaneState {
        var active = 0
        /// Those that wait, and some that were cancelled.
        var entries = Heap<Entry>()
        var waiting = 0
        var quota = ServerQuota()
        /// The request that is a candidate, and when the lane is known to open: neither is noted twice.
        var candidate: Int?
        var opening: TimeInterval?

        var isIdle: Bool { active == 0 && waiting == 0 }
    }
}
