/// Stores values up to a total cost, and evicts the least recently used values first.
package struct RecencyList<Key: Hashable, Value> {
    private struct Node {
        let key: Key
        var value: Value
        var cost: Int
        var newer: Int?
        var older: Int?
    }

    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var newest: Int?
    private var oldest: Int?
    package let limit: Int
    /// The total cost.
    package private(set) var cost = 0

    package init(limit: Int) { self.limit = limit }

    package var count: Int { places.count }
    package var keys: some Collection<Key> { places.keys }

    package func contains(_ key: Key) -> Bool { places[key] != nil }

    /// Returns a value without marking it as used.
    package func peek(_ key: Key) -> Value? { places[key].flatMap { nodes[$0]?.value } }

    /// Marks a value as used.
    package mutating func use(_ key: Key) {
        guard let place = places[key] else { return }
        unlink(place)
        link(place)
    }

    /// Stores a value, and returns the evicted keys; `drop` receives their values and the value it replaces.
    package mutating func insert(
        _ key: Key,
        _ value: Value,
        cost: Int,
        drop: (Value) -> Void = { _ in }
    ) -> [Key] {
        if let former = remove(key) { drop(former) }
        let node = Node(key: key, value: value, cost: cost)
        let place = free.popLast() ?? nodes.count
        if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
        places[key] = place
        self.cost = self.cost.addingSaturated(cost)
        link(place)
        var gone: [Key] = []
        while self.cost > limit, let last = oldest, let key = nodes[last]?.key {
            if let former = remove(key) { drop(former) }
            gone.append(key)
        }
        return gone
    }

    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        unlink(place)
        let node = nodes[place]
        cost = max(0, cost.subtractingSaturated(node?.cost ?? 0))
        nodes[place] = nil
        free.append(place)
        return node?.value
    }

    @discardableResult
    package mutating func removeAll() -> [Value] {
        defer { self = Self(limit: limit) }
        return nodes.compactMap { $0?.value }
    }

    private mutating func link(_ place: Int) {
        nodes[place]?.older = newest
        nodes[place]?.newer = nil
        if let newest { nodes[newest]?.newer = place }
        newest = place
        oldest = oldest ?? place
    }

    private mutating func unlink(_ place: Int) {
        let newer = nodes[place]?.newer
        let older = nodes[place]?.older
        if let newer { nodes[newer]?.older = older } else { newest = older }
        if let older { nodes[older]?.newer = newer } else { oldest = newer }
    }
}
