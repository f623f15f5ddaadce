import SimpleNetworkingFeatureSupport

/// Decides which requests may be sent, and which wait.
///
/// The queue is a pure value: requests are identified by numbers, and the time is an argument. Each call takes
/// logarithmic time in the number of waiting requests.
struct TrafficQueue {
    /// The number of lanes above which idle ones are removed, together with what their servers have said.
    private static let mostLanes = 1_000

    private let rules: TrafficRules
    private var bucket: TokenBucket?
    private var lanes: [Lane: LaneState] = [:]
    private var origins: [Origin: OriginState] = [:]
    private var active = 0
    /// The lanes and priorities of waiting requests, by number.
    private var waiting: [Int: (lane: Lane, priority: RequestPriority)] = [:]
    private var waitingByPriority: [RequestPriority: Int] = [:]
    /// The first requests of lanes that may send; some are outdated.
    private var candidates = Heap<Candidate>()
    /// The times when the waits of lanes end.
    private var openings = Heap<Opening>()
    /// The latest time passed in; calls from several threads may arrive out of order.
    private var latest: TimeInterval

    init(_ rules: TrafficRules, at now: TimeInterval) {
        self.rules = rules
        bucket = rules.rate.map { TokenBucket($0, at: now) }
        latest = now
    }

    var waitingCount: Int { waiting.count }
    var isIdle: Bool { active == 0 && waiting.isEmpty }
    /// The number of stored elements, including outdated ones.
    var keptCount: Int {
        let ofLanes = lanes.values.reduce(lanes.count) { $0 + $1.entries.count }
        return candidates.count + openings.count + origins.count + ofLanes
    }
    func isWaiting(_ number: Int) -> Bool { waiting[number] != nil }

    /// Adds a request.
    ///
    /// `takeNext(at:)` returns the request when it may be sent.
    ///
    /// A request that is added again with its first start time keeps its place in line.
    mutating func add(
        _ number: Int,
        to lane: Lane,
        _ priority: RequestPriority,
        since start: TimeInterval? = nil,
        at now: TimeInterval
    ) {
        let now = passed(now)
        waiting[number] = (lane, priority)
        waitingByPriority[priority, default: 0] += 1
        lanes[lane, default: LaneState()].entries.insert(Entry(time: (start ?? now) + priority.delay, number: number))
        lanes[lane]?.waiting += 1
        origins[lane.origin, default: OriginState()].lanes.insert(lane)
        propose(lane, at: now)
    }

    /// The position of a new request among the waiting ones, starting at 1.
    func position(of priority: RequestPriority) -> Int {
        waitingByPriority.reduce(0) { $1.key >= priority ? $0 + $1.value : $0 }
    }

    /// Removes and returns the next request that may be sent; nil if no request may be sent.
    mutating func takeNext(at now: TimeInterval) -> Int? {
        let now = passed(now)
        while let opening = openings.first, opening.time <= now {
            _ = openings.popFirst()
            lanes[opening.lane]?.opening = nil
            propose(opening.lane, at: now)
        }
        while let candidate = candidates.first {
            guard isFirst(candidate), maySend(candidate.lane, at: now) else {
                drop(candidate)
                continue
            }
            if isFull { return nil }
            if bucket?.take(at: now) == false { return nil }
            drop(candidate)
            begin(candidate, at: now)
            return candidate.entry.number
        }
        return nil
    }

    /// Removes a waiting request.
    ///
    /// Does nothing if the request isn't waiting.
    mutating func cancel(_ number: Int, at now: TimeInterval) {
        let now = passed(now)
        guard let lane = forget(number) else { return }
        // Cancelled requests stay in the heap until their turn, or until they are the majority.
        if lanes[lane].map({ $0.entries.count > 2 * $0.waiting + 16 }) == true {
            let waiting = self.waiting
            lanes[lane]?.entries.filter { waiting[$0.number] != nil }
        }
        propose(lane, at: now)
        dropIfIdle(lane, at: now)
    }

    /// Takes back the slot of a request.
    mutating func leave(_ number: Int, of lane: Lane, after end: End, at now: TimeInterval) {
        let now = passed(now)
        switch end {
        case .unsent:
            bucket?.giveBack()
            lanes[lane]?.quota.takeBack()
        case .failure: break
        case .response(let hint):
            lanes[lane]?.apply(hint, of: number, at: now, most: rules.maxServerWait)
        }
        active -= 1
        lanes[lane]?.active -= 1
        origins[lane.origin]?.active -= 1
        lanes[lane]?.quota.end(number, at: now)
        propose(lane, at: now)
        if rules.inFlightPerOrigin != nil { proposeOthers(than: lane, at: now) }
        dropIfIdle(lane, at: now)
    }

    /// Notes what a server says to a request that has no slot, or that keeps its slot.
    mutating func apply(_ hint: RateLimitHint?, of number: Int?, in lane: Lane, at now: TimeInterval) {
        let now = passed(now)
        origins[lane.origin, default: OriginState()].lanes.insert(lane)
        lanes[lane, default: LaneState()].apply(hint, of: number, at: now, most: rules.maxServerWait)
        propose(lane, at: now)
        dropIfIdle(lane, at: now)
    }

    /// The time to call `takeNext(at:)` even if nothing else happens; nil if the call isn't necessary.
    var nextMoment: TimeInterval? {
        guard !waiting.isEmpty else { return nil }
        let token = candidates.first == nil || isFull ? nil : bucket?.nextToken
        return [token, openings.first?.time].compactMap { $0 }.min()
    }

    /// Whether a server has closed a lane since a request in it got its slot.
    func isClosed(_ lane: Lane, at now: TimeInterval) -> Bool { lanes[lane]?.quota.isClosed(at: now) ?? false }
    /// The remaining seconds of the wait that a server has imposed on a lane; nil if there is no wait.
    func wait(in lane: Lane, at now: TimeInterval) -> TimeInterval? {
        lanes[lane]?.quota.opening.flatMap { $0 > now ? $0 - now : nil }
    }
}

extension TrafficQueue {
    /// Makes the lane's first request a candidate if the lane may send; otherwise notes when it may.
    private mutating func propose(_ lane: Lane, at now: TimeInterval) {
        while let first = lanes[lane]?.entries.first, waiting[first.number] == nil {
            _ = lanes[lane]?.entries.popFirst()
        }
        guard let first = lanes[lane]?.entries.first else { return }
        if maySend(lane, at: now) {
            guard lanes[lane]?.candidate != first.number else { return }
            lanes[lane]?.candidate = first.number
            candidates.insert(Candidate(entry: first, lane: lane))
            if candidates.count > 2 * lanes.count + 16 { dropOutdatedCandidates() }
        } else if let opening = lanes[lane]?.quota.opening, opening > now, lanes[lane]?.opening != opening {
            lanes[lane]?.opening = opening
            openings.insert(Opening(time: opening, lane: lane))
        }
    }

    /// Makes the requests of other accounts candidates, which may have waited for a place at their origin.
    private mutating func proposeOthers(than lane: Lane, at now: TimeInterval) {
        for other in origins[lane.origin]?.lanes ?? [] where other != lane && lanes[other]?.waiting ?? 0 > 0 {
            propose(other, at: now)
        }
    }

    /// Removes the first candidate.
    private mutating func drop(_ candidate: Candidate) {
        _ = candidates.popFirst()
        if lanes[candidate.lane]?.candidate == candidate.entry.number { lanes[candidate.lane]?.candidate = nil }
    }

    private mutating func dropOutdatedCandidates() {
        let queue = self
        candidates.filter { queue.lanes[$0.lane]?.candidate == $0.entry.number }
    }

    private func maySend(_ lane: Lane, at now: TimeInterval) -> Bool {
        guard let state = lanes[lane] else { return false }
        if let most = rules.inFlightPerOrigin, let active = origins[lane.origin]?.active, active >= max(most, 1) {
            return false
        }
        return !rules.respectsRateLimits || state.quota.maySend(at: now)
    }

    private var isFull: Bool { rules.inFlight.map { active >= max($0, 1) } ?? false }

    private func isFirst(_ candidate: Candidate) -> Bool {
        waiting[candidate.entry.number] != nil && lanes[candidate.lane]?.entries.first == candidate.entry
    }

    private mutating func begin(_ candidate: Candidate, at now: TimeInterval) {
        let lane = candidate.lane
        _ = forget(candidate.entry.number)
        _ = lanes[lane]?.entries.popFirst()
        active += 1
        lanes[lane]?.active += 1
        origins[lane.origin]?.active += 1
        if rules.respectsRateLimits {
            lanes[lane]?.quota.send(candidate.entry.number, at: now, most: rules.maxServerWait)
        }
        propose(lane, at: now)
    }

    private mutating func forget(_ number: Int) -> Lane? {
        guard let (lane, priority) = waiting.removeValue(forKey: number) else { return nil }
        waitingByPriority[priority, default: 1] -= 1
        lanes[lane]?.waiting -= 1
        return lane
    }

    private mutating func passed(_ now: TimeInterval) -> TimeInterval {
        latest = max(latest, now)
        return latest
    }

    private mutating func dropIfIdle(_ lane: Lane, at now: TimeInterval) {
        guard let state = lanes[lane], state.isIdle else { return }
        if state.quota.isOver(at: now) {
            remove(lane)
        } else if lanes.count > Self.mostLanes {
            dropIdleLanes(at: now)
        }
    }

    /// Removes idle lanes whose wait is over, or, if no wait is over, the idle lane whose wait ends first.
    ///
    /// A client that follows links would otherwise keep a lane for each server it ever contacted.
    private mutating func dropIdleLanes(at now: TimeInterval) {
        let idle = lanes.filter(\.value.isIdle)
        let past = idle.filter { ($0.value.quota.opening ?? now) <= now }
        for lane in past.keys { remove(lane) }
        if !past.isEmpty { return }
        let first = idle.min { ($0.value.quota.opening ?? now) < ($1.value.quota.opening ?? now) }
        if let first { remove(first.key) }
    }

    private mutating func remove(_ lane: Lane) {
        lanes[lane] = nil
        origins[lane.origin]?.lanes.remove(lane)
        if origins[lane.origin]?.lanes.isEmpty ?? false { origins[lane.origin] = nil }
    }
}
