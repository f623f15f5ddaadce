import SimpleNetworkingSupport

/// Orders a client's requests that replace each other, by when the user asked for them.
final class Replacements: Sendable {
    /// A request that goes on: it is held back, in progress, or between two executions.
    private struct Member {
        let id: ObjectIdentifier
        let place: Int
        weak var lineage: Lineage?
    }

    /// The requests with one key.
    private struct Order {
        var members: [Member] = []
        /// The newest request that has begun.
        var newest: (place: Int, head: RequestHead)?
    }

    /// What becomes of a request that begins.
    enum Beginning {
        /// It ends these.
        case newest([Lineage])
        /// It ends, because this newer request has begun.
        case replaced(by: RequestHead)
    }

    private let orders = Locked<[String: Order]>([:])

    var count: Int { orders.withLock { $0.count } }

    func add(_ lineage: Lineage, to key: String) {
        let member = Member(id: ObjectIdentifier(lineage), place: lineage.place, lineage: lineage)
        orders.withLock { $0[key, default: Order()].members.append(member) }
    }

    func begin(_ lineage: Lineage, _ key: String, _ head: RequestHead) -> Beginning {
        if let newer = lineage.replacer { return .replaced(by: newer) }
        let place = lineage.place
        return orders.withLock { orders in
            var order = orders[key] ?? Order()
            if let newest = order.newest, newest.place > place { return .replaced(by: newest.head) }
            order.newest = (place, head)
            let older = order.members.filter { $0.place < place }.compactMap(\.lineage)
            order.members.removeAll { $0.place < place }
            orders[key] = order
            return .newest(older)
        }
    }

    /// Forgets a request that has ended, and what has begun once no request is left.
    func remove(_ lineage: Lineage, from key: String) {
        let id = ObjectIdentifier(lineage)
        orders.withLock { orders in
            orders[key]?.members.removeAll { $0.id == id }
            if orders[key]?.members.isEmpty == true { orders[key] = nil }
        }
    }
}
