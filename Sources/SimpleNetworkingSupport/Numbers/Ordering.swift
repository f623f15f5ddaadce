// Sorts positions, because the standard library's sort is compiled again for each type of element and each comparison,
// which takes 4 KB.

extension Sequence {
    /// Returns the elements in the order of their names; elements with equal names stay in order.
    @inlinable
    package func ordered(by name: (Element) -> String) -> [Element] {
        let elements = Array(self)
        guard elements.count > 1 else { return elements }
        return positions(of: elements.map(name)).map { elements[$0] }
    }

    /// Returns the elements in the order of their numbers; elements with equal numbers stay in order.
    @inlinable
    package func ordered(by number: (Element) -> Int) -> [Element] {
        let elements = Array(self)
        guard elements.count > 1 else { return elements }
        return positions(of: elements.map(number)).map { elements[$0] }
    }
}

/// Returns the positions of names, in the order of the names.
@usableFromInline
func positions(of names: [String]) -> [Int] { names.indices.sorted { (names[$0], $0) < (names[$1], $1) } }

/// Returns the positions of numbers, in the order of the numbers.
@usableFromInline
func positions(of numbers: [Int]) -> [Int] { numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) } }
