/// What was measured: for each measure and client, a value per round.
struct Results: Codable {
    private(set) var values: [Measure: [ClientKind: [Double]]] = [:]
    /// What a client could not do, in words.
    var failures: [String] = []
    /// What it costs to build programs.
    var programs: [BuildCost.Cost] = []

    /// Adds the value of one more round.
    mutating func add(_ value: Double, _ measure: Measure, of client: ClientKind) {
        values[measure, default: [:]][client, default: []].append(value)
    }

    /// The median of the rounds; nil if nothing was measured.
    func median(_ measure: Measure, of client: ClientKind) -> Double? { values[measure]?[client]?.median }

    /// The median of the ratios within each round, which a busy machine changes less than the values.
    func ratio(_ measure: Measure, of client: ClientKind, to other: ClientKind) -> Double? {
        guard let own = values[measure]?[client], let others = values[measure]?[other] else { return nil }
        return zip(own, others).filter { $1 > 0 }.map { $0 / $1 }.median
    }

    /// The median of the differences within each round.
    func difference(_ measure: Measure, of client: ClientKind, to other: ClientKind) -> Double? {
        guard let own = values[measure]?[client], let others = values[measure]?[other] else { return nil }
        return zip(own, others).map { $0 - $1 }.median
    }
}

extension [Double] {
    /// The value in the middle; nil if there is none.
    var median: Double? { isEmpty ? nil : sorted()[count / 2] }
}
