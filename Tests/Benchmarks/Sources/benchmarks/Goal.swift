/// One thing that the project has set itself, and whether it is reached.
struct Goal {
    let text: String
    let value: Double?
    let limit: Double
    var isAtLeast = false

    /// nil if it was not measured.
    var isReached: Bool? { value.map { isAtLeast ? $0 >= limit : $0 <= limit } }

    /// All goals, with what was measured.
    static func all(in results: Results) -> [Goal] {
        let mine = ClientKind.simpleHandlers
        func ratio(_ measure: Measure, _ other: ClientKind, of client: ClientKind = mine) -> Double? {
            results.ratio(measure, of: client, to: other)
        }
        func own(_ measure: Measure) -> Double? { results.difference(measure, of: mine, to: .engine) }
        let url = ClientKind.sessionHandlers
        let peer = ClientKind.asyncHTTP
        return [
            Goal(text: "one at a time ≤ 0.35 × URLSession", value: ratio(.median, url), limit: 0.35),
            Goal(text: "one at a time ≤ 0.75 × async-http-client", value: ratio(.median, peer), limit: 0.75),
            Goal(text: "64 in flight ≥ 6 × URLSession", value: ratio(.throughput, url), limit: 6, isAtLeast: true),
            Goal(
                text: "64 in flight ≥ 1.5 × async-http-client",
                value: ratio(.throughput, peer),
                limit: 1.5,
                isAtLeast: true
            ),
            Goal(text: "CPU ≤ 0.65 × async-http-client", value: ratio(.cpu, peer), limit: 0.65),
            Goal(text: "instructions ≤ 0.65 × async-http-client", value: ratio(.instructions, peer), limit: 0.65),
            Goal(text: "allocations ≤ 1.0 × async-http-client", value: ratio(.allocations, peer), limit: 1),
            Goal(text: "own time over the engine ≤ 30 µs", value: own(.median), limit: 30),
            Goal(text: "own allocations over the engine ≤ 40", value: own(.allocations), limit: 40),
            Goal(text: "async face ≤ 1.15 × handlers", value: ratio(.median, mine, of: .simpleAwaiting), limit: 1.15),
            Goal(text: "1,000 in flight within 3.3 s", value: results.median(.crowdTime, of: mine), limit: 3.3),
            Goal(text: "1,000 in flight in ≤ 25 MB", value: results.median(.crowdMemory, of: mine), limit: 25),
            Goal(
                text: "to memory ≥ async-http-client’s MB/s",
                value: ratio(.memoryRate, peer),
                limit: 1,
                isAtLeast: true
            ),
            Goal(text: "to memory in ≤ 60 MB", value: results.median(.memoryPeak, of: mine), limit: 60),
            Goal(
                text: "to file ≥ async-http-client’s MB/s (engine)",
                value: ratio(.fileRate, peer, of: .engine),
                limit: 1,
                isAtLeast: true
            ),
            Goal(text: "to file in ≤ 8 MB (engine)", value: results.median(.filePeak, of: .engine), limit: 8),
        ]
    }
}
