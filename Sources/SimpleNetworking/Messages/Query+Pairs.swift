/// What going from page to page needs to know of a query, wherever its pairs come from.
extension Query {
    /// The first value of a name, decoded.
    func value(of name: String) -> String? {
        for pair in pairs where pair.name == name { return pair.value }
        return nil
    }

    /// Gives the pairs of both; those of `other` take the place of all with the same names.
    func replacing(with other: Query) -> Query {
        let names = Set(other.pairs.map(\.name))
        let kept = pairs.filter { !names.contains($0.name) }.map(\.text)
        return .raw(kept.joined(separator: "&")) + other
    }

    /// Gives the pairs with these names.
    func keeping(_ names: [String]) -> Query {
        .raw(pairs.filter { names.contains($0.name) }.map(\.text).joined(separator: "&"))
    }

    private var pairs: [(name: String, value: String, text: Substring)] {
        encoded.split(separator: "&").map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String($0)
            }
            return (parts[0], parts.count > 1 ? parts[1] : "", text)
        }
    }
}
