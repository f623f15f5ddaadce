import SimpleNetworking

extension NationEndpoint where Value == [Person] {
    /// All people, page by page.
    public static func people() -> Self { .fetch("/people", at: "results") }

    /// People who match parameters, such as `["last_name": "Lincoln"]`.
    public static func search(_ parameters: Query) -> Self { .fetch("/people/search", parameters, at: "results") }

    /// People who live near a place.
    ///
    /// - Parameters:
    ///   - latitude: The latitude, in degrees.
    ///   - longitude: The longitude, in degrees.
    ///   - miles: How far away they may live. The default is 1.
    /// - Returns: The call.
    public static func people(nearLatitude latitude: Double, longitude: Double, within miles: Int = 1) -> Self {
        .fetch("/people/nearby", ["location": "\(latitude),\(longitude)", "distance": miles], at: "results")
    }

    /// The people of a list.
    public static func people(ofList id: UInt) -> Self { .fetch("/lists/\(id)/people", at: "results") }

    /// The people with a tag.
    public static func people(taggedWith tag: String) -> Self {
        .fetch("/tags/\(segment(tag))/people", at: "results")
    }
}

extension NationEndpoint where Value == Int {
    /// How many people there are.
    public static func peopleCount() -> Self { .fetch("/people/count", at: "people_count") }
}

extension NationEndpoint where Value == Person {
    /// One of the people.
    public static func person(_ id: UInt) -> Self { .fetch("/people/\(id)", at: "person") }

    /// The user who has signed in.
    public static func me() -> Self { .fetch("/people/me", at: "person") }

    /// The one person who matches parameters.
    public static func match(_ parameters: Query) -> Self { .fetch("/people/match", parameters, at: "person") }

    /// Adds a person.
    public static func create(_ person: Person) -> Self { .create("/people", ["person": person], at: "person") }

    /// Changes a person.
    public static func save(_ person: Person, as id: UInt) -> Self {
        .save("/people/\(id)", ["person": person], at: "person")
    }
}

extension NationEndpoint where Value == NoResults {
    /// Invites a person to sign up.
    public static func register(_ id: UInt) -> Self { .fetch("/people/\(id)/register") }

    /// Removes a person.
    public static func deletePerson(_ id: UInt) -> Self { .delete("/people/\(id)") }
}
