import Foundation

/// Keeps Humon's users, events and attendances, as a Rails app does in its database.
actor HumonRecords {
    struct Event {
        let id: Int
        let owner: Int
        var content: HumonEventContent
    }

    private var users: [String: Int] = [:]
    private var events: [Event] = []
    private var attendances: Set<[Int]> = []

    func makeUser(token: String) -> Int {
        let id = users.count + 1
        users[token] = id
        return id
    }

    func user(withToken token: String?) -> Int? { token.flatMap { users[$0] } }

    func add(_ content: HumonEventContent, by owner: Int) -> Int {
        let event = Event(id: events.count + 1, owner: owner, content: content)
        events.append(event)
        return event.id
    }

    func event(_ id: Int) -> Event? { events.first { $0.id == id } }

    func change(_ id: Int, to content: HumonEventContent, by owner: Int) -> Bool {
        guard let index = events.firstIndex(where: { $0.id == id && $0.owner == owner }) else { return false }
        events[index].content = content
        return true
    }

    func events(near place: (lat: Double, lon: Double), within radius: Double) -> [Event] {
        events.filter { event in
            let north = (event.content.lat - place.lat) * 111
            let east = (event.content.lon - place.lon) * 111 * cos(place.lat * .pi / 180)
            return (north * north + east * east).squareRoot() <= radius
        }
    }

    /// A second attendance changes nothing.
    func attend(_ event: Int, by user: Int) -> Int {
        attendances.insert([event, user])
        return attendances.count { $0.first == event }
    }
}
