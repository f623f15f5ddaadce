/// Counts what happens over the latest stretch of time, or of a number that grows, and how much of it is marked.
///
/// Ten parts are kept and dropped whole, so the counted stretch is up to a tenth shorter than its length.
package struct SlidingCounts: Sendable {
    /// What happened.
    package struct Counts: Hashable, Sendable {
        package var all = 0
        package var marked = 0

        package init() {}
    }

    private struct Part {
        let number: Int
        var counts = Counts()
    }

    private let length: Double
    private var parts: [Part] = []

    package init(length: Double) { self.length = length }

    /// Notes what happened at a position, which is never before the last one.
    package mutating func add(all: Int, marked: Int, at position: Double) {
        let number = dropParts(before: position)
        if parts.last.map({ $0.number < number }) ?? true { parts.append(Part(number: number)) }
        parts[parts.count - 1].counts.all.addSaturating(all)
        parts[parts.count - 1].counts.marked.addSaturating(marked)
    }

    /// The counts of the stretch that ends at a position.
    package mutating func counts(at position: Double) -> Counts {
        dropParts(before: position)
        return parts.reduce(into: Counts()) { sum, part in
            sum.all.addSaturating(part.counts.all)
            sum.marked.addSaturating(part.counts.marked)
        }
    }

    package mutating func removeAll() { parts.removeAll() }

    /// Drops what lies too far back, and returns the number of the part at the position.
    @discardableResult
    private mutating func dropParts(before position: Double) -> Int {
        // A length of zero counts nothing but this very moment; NaN makes all one part.
        let number = Int(saturating: position / length * 10)
        parts.removeAll { $0.number <= number.subtractingSaturated(10) }
        return number
    }
}

extension Int {
    fileprivate mutating func addSaturating(_ other: Int) { self = addingSaturated(other) }
}
