import SimpleNetworkingFeatureSupport

/// Counts events over a sliding stretch of time, or of an increasing number, and how many of them are marked.
///
/// Ten parts are kept and dropped as a whole, so the counted stretch is up to a tenth shorter than its length.
struct SlidingCounts: Sendable {
    /// The numbers of events.
    struct Counts: Hashable, Sendable {
        var all = 0
        var marked = 0
    }

    private struct Part {
        let number: Int
        var counts = Counts()
    }

    private let length: Double
    private var parts: [Part] = []

    init(length: Double) { self.length = length }

    /// Counts events at a position, which must not be before the last one.
    mutating func add(all: Int, marked: Int, at position: Double) {
        let number = dropParts(before: position)
        if parts.last.map({ $0.number < number }) ?? true { parts.append(Part(number: number)) }
        parts[parts.count - 1].counts.all.addSaturating(all)
        parts[parts.count - 1].counts.marked.addSaturating(marked)
    }

    /// Returns the counts for the stretch that ends at a position.
    mutating func counts(at position: Double) -> Counts {
        dropParts(before: position)
        return parts.reduce(into: Counts()) { sum, part in
            sum.all.addSaturating(part.counts.all)
            sum.marked.addSaturating(part.counts.marked)
        }
    }

    mutating func removeAll() { parts.removeAll() }

    /// Drops the parts that are too old, and returns the number of the part at the position.
    @discardableResult
    private mutating func dropParts(before position: Double) -> Int {
        // A length of zero counts only this exact moment; NaN makes everything one part.
        let number = Int(saturating: position / length * 10)
        parts.removeAll { $0.number <= number.subtractingSaturated(10) }
        return number
    }
}

extension Int {
    fileprivate mutating func addSaturating(_ other: Int) { self = addingSaturated(other) }
}
