import SimpleNetworkingCore

/// The received requests in order, with an index by target.
struct RequestRecord: Sendable {
    /// The requests with one method and one target.
    private struct Group {
        let method: HTTPMethod
        let place: RequestTarget
        var numbers: [Int]
    }

    private(set) var requests: [TransportRequest] = []
    /// Groups by path, without a trailing slash.
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

    /// Returns the number of requests that match a rule's method and target, and the first of them.
    func tally(of rule: StubRule) -> (count: Int, first: TransportRequest?) {
        let numbers = numbers(for: rule)
        let first = numbers.compactMap(\.first).min().map { requests[$0] }
        return (numbers.reduce(0) { $0 + $1.count }, first)
    }

    /// Returns the requests that match a rule's method and target, in order.
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
