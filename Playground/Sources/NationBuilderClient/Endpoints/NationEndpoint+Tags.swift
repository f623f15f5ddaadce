extension NationEndpoint where Value == [Tag] {
    /// All tags.
    public static func tags() -> Self { .fetch("/tags", at: "results") }
}

extension NationEndpoint where Value == [Tagging] {
    /// The tags of a person.
    public static func taggings(of id: UInt) -> Self { .fetch("/people/\(id)/taggings", at: "taggings") }

    /// Adds several tags to a person.
    ///
    /// - Throws: `NationError` with `.invalidArgument` for none.
    public static func tag(_ id: UInt, with tags: [String]) throws -> Self {
        .save("/people/\(id)/taggings", ["tagging": ["tag": try some(tags)]], at: "taggings")
    }
}

extension NationEndpoint where Value == Tagging {
    /// Adds a tag to a person.
    public static func tag(_ id: UInt, with tag: String) -> Self {
        .save("/people/\(id)/taggings", ["tagging": ["tag": tag]], at: "tagging")
    }
}

extension NationEndpoint where Value == NoResults {
    /// Removes a tag from a person.
    public static func untag(_ id: UInt, from tag: String) -> Self {
        .delete("/people/\(id)/taggings/\(segment(tag))")
    }

    /// Removes several tags from a person.
    ///
    /// - Throws: `NationError` with `.invalidArgument` for none.
    public static func untag(_ id: UInt, from tags: [String]) throws -> Self {
        .delete("/people/\(id)/taggings", ["tagging": ["tag": try some(tags)]])
    }
}

extension NationEndpoint {
    fileprivate static func some(_ tags: [String]) throws -> [String] {
        guard !tags.isEmpty else { throw NationError(.invalidArgument, "No tag was given.") }
        return tags
    }
}
