extension Query {
    /// The pairs in order, decoded; one that was written without `=` has an empty value.
    public var pairs: [(name: String, value: String)] { encodedPairs.map { ($0.name, $0.value) } }

    /// Gives the first value of a name, decoded; nil if there is none.
    public func value(of name: String) -> String? {
        for pair in encodedPairs where pair.name == name { return pair.value }
        return nil
    }

    /// Gives the pairs of both; those of `other` take the place of all with the same names.
    public func replacing(with other: Query) -> Query {
        let names = Set(other.encodedPairs.map(\.name))
        return keeping { !names.contains($0) } + other
    }

    /// Gives the pairs whose names are wanted, in order, as they were written.
    public func keeping(_ isWanted: (String) throws -> Bool) rethrows -> Query {
        .raw(try encodedPairs.filter { try isWanted($0.name) }.map(\.text).joined(separator: "&"))
    }

    private var encodedPairs: [(name: String, value: String, text: Substring)] {
        encoded.split(separator: "&").map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String($0)
            }
            return (parts[0], parts.count > 1 ? parts[1] : "", text)
        }
    }
}
