extension NationEndpoint where Value == [Capital] {
    /// The political capital of a person.
    public static func capitals(of id: UInt) -> Self { .fetch("/people/\(id)/capitals", at: "results") }
}

extension NationEndpoint where Value == Capital {
    /// Adds political capital.
    public static func add(_ capital: Capital, to id: UInt) -> Self {
        .create("/people/\(id)/capitals", ["capital": capital], at: "capital")
    }
}

extension NationEndpoint where Value == Note {
    /// Adds a note.
    public static func add(_ note: Note, to id: UInt) -> Self {
        .create("/people/\(id)/notes", ["note": note], at: "note")
    }
}

extension NationEndpoint where Value == [Contact] {
    /// The conversations with a person.
    public static func contacts(of id: UInt) -> Self { .fetch("/people/\(id)/contacts", at: "results") }
}

extension NationEndpoint where Value == Contact {
    /// Adds a conversation.
    public static func add(_ contact: Contact, to id: UInt) -> Self {
        .create("/people/\(id)/contacts", ["contact": contact], at: "contact")
    }
}

extension NationEndpoint where Value == [ContactOption] {
    /// The types that contacts may have, page by page.
    public static func contactTypes() -> Self { .fetch("/settings/contact_types", at: "results") }

    /// The methods that contacts may have.
    public static func contactMethods() -> Self { .fetch("/settings/contact_methods", at: "results") }

    /// The statuses that contacts may have.
    public static func contactStatuses() -> Self { .fetch("/settings/contact_statuses", at: "results") }
}

extension NationEndpoint where Value == NoResults {
    /// Removes political capital.
    public static func deleteCapital(_ capital: UInt, of id: UInt) -> Self {
        .delete("/people/\(id)/capitals/\(capital)")
    }
}
