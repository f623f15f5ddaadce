/// Keeps a nation's people, donations and keys.
actor NationRecords {
    /// The rate limit fields of every response.
    static let rateLimit = [
        "Nation-Ratelimit-Limit": "10000", "Nation-Ratelimit-Remaining": "9999", "Nation-Ratelimit-Reset": "1400000000",
        "X-Ratelimit-Limit": "100", "X-Ratelimit-Remaining": "99", "X-Ratelimit-Reset": "1400000000",
    ]

    private var keys: Set<String> = ["demo-key"]
    private var issued = 0
    private(set) var people: [JSONValue] = (1...12).map { id in
        [
            "id": .number(id), "first_name": "Person", "last_name": .text("No. \(id)"),
            "full_name": .text("Person No. \(id)"), "email": .text("person\(id)@example.com"),
        ]
    }
    private var nextID = 13

    func issueKey() -> String {
        issued += 1
        let key = "demo-oauth-\(issued)"
        keys.insert(key)
        return key
    }

    func revokeKeys() { keys = [] }

    func accepts(_ key: String?) -> Bool { key.map { keys.contains($0) } ?? false }

    func person(_ id: Int) -> JSONValue? { people.first { $0["id"]?.int == id } }

    /// Adds a person, unless another one has the e-mail address.
    func add(_ content: JSONValue) -> JSONValue? {
        guard case .object(var members) = content,
            members["email"] == nil || !people.contains(where: { $0["email"]?.text == members["email"]?.text })
        else { return nil }
        members["id"] = .number(nextID)
        nextID += 1
        people.append(.object(members))
        return .object(members)
    }

    func change(_ id: Int, to content: JSONValue) -> JSONValue? {
        guard let index = people.firstIndex(where: { $0["id"]?.int == id }), case .object(let new) = content,
            case .object(let old) = people[index]
        else { return nil }
        people[index] = .object(old.merging(new) { $1 })
        return people[index]
    }

    func remove(_ id: Int) -> Bool {
        let count = people.count
        people.removeAll { $0["id"]?.int == id }
        return people.count < count
    }
}
