import SimpleNetworking

/// The requests that came, in order, found by where they went without looking at the others.
struct RequestRecord: Sendable {
    /// The requests with one method to one place.
    private struct Group {
        let method: HTTPMethod
        let place: RequestTarget
        var numbers: [Int]
    }

    private(set) var requests: [TransportRequest] = []
    /// By their path, without a slash at its end.
    private var groups: [String: [Group]] = [:]

    mutating func append(_ request: TransportRequest, to place: RequestTarget) {
        let number = requests.count
        requests.append(request)
        let index = groups[place.path]?.firstIndex { $0.method == request.method && $0.place == place }
        if let index {
            groups[place.path]?[index].numbers.append(number)
        } else {
            groups[place.path, default: []].append(Group(method: request.method, place: place, numbers: [number]))
        }
    }

    /// How many requests a rule matches by method and place, and the first of them.
    func tally(of rule: StubRule) -> (count: Int, first: TransportRequest?) {
        let numbers = numbers(for: rule)
        let first = numbers.compactMap(\.first).min().map { requests[$0] }
        return (numbers.reduce(0) { $0 + $1.count }, first)
    }

    /// The requests that a rule matches by method and place, in order.
    func requests(for rule: StubRule) -> [TransportRequest] {
        let numbers = numbers(for: rule)
        let sorted = numbers.count > 1 ? numbers.flatMap(\.self).sorted() : numbers.first ?? []
        return sorted.map { requests[$0] }
    }

    private func numbers(for rule: StubRule) -> [[Int]] {
        let groups = rule.place.path.onlyPath.map { self.groups[$0] ?? [] } ?? self.groups.values.flatMap(\.self)
        return groups.filter { rule.matches($0.method, at: $0.place) }.map(\.numbers)
    }
}
