import SimpleNetworkingFeatureSupport

/// Keeps the smallest of its elements first, in logarithmic time.
struct Heap<Element: Comparable> {
    private var elements: [Element] = []

    var first: Element? { elements.first }
    var count: Int { elements.count }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func popFirst() -> Element? {
        guard let first = elements.first, let last = elements.popLast() else { return nil }
        guard !elements.isEmpty else { return first }
        elements[0] = last
        sink(0)
        return first
    }

    /// Keeps only the elements that meet a condition.
    mutating func filter(_ isKept: (Element) -> Bool) {
        elements.removeAll { !isKept($0) }
        for index in (0..<elements.count / 2).reversed() { sink(index) }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < elements.count {
                if elements[child] < elements[least] { least = child }
            }
            if least == index { return }
            elements.swapAt(index, least)
            index = least
        }
    }
}
