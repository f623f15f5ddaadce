extension NationEndpoint where Value == [Donation] {
    /// All donations, page by page.
    public static func donations() -> Self { .fetch("/donations", at: "results") }
}

extension NationEndpoint where Value == Donation {
    /// Adds a donation.
    public static func create(_ donation: Donation) -> Self {
        .create("/donations", ["donation": donation], at: "donation")
    }

    /// Changes a donation.
    public static func save(_ donation: Donation, as id: UInt) -> Self {
        .save("/donations/\(id)", ["donation": donation], at: "donation")
    }
}

extension NationEndpoint where Value == [PeopleList] {
    /// All lists, page by page.
    public static func lists() -> Self { .fetch("/lists", at: "results") }
}

extension NationEndpoint where Value == [Site] {
    /// The sites of the nation.
    public static func sites() -> Self { .fetch("/sites", at: "results") }
}

extension NationEndpoint where Value == NoResults {
    /// Removes a donation.
    public static func deleteDonation(_ id: UInt) -> Self { .delete("/donations/\(id)") }

    /// Puts people on a list.
    public static func add(_ people: [UInt], toList id: UInt) -> Self {
        .create("/lists/\(id)/people", ["people_ids": people])
    }

    /// Takes people off a list.
    public static func remove(_ people: [UInt], fromList id: UInt) -> Self {
        .delete("/lists/\(id)/people", ["people_ids": people])
    }
}
