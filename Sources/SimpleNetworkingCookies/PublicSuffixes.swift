import SimpleNetworkingFeatureSupport

/// Finds public suffixes, below which anyone can register a name: `com`, `co.uk`, `github.io` (publicsuffix.org).
///
/// The table is searched in place, without loading it first. The loops are simple, because collection algorithms take
/// twenty times as long without optimization.
enum PublicSuffixes {
    /// Returns the public suffix of a host, both in lowercase and in URL form; the last label if no rule matches.
    static func suffix(of host: String) -> Substring {
        var labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        let count = table.withUTF8Buffer { Search(table: $0).countLabels(of: labels.reversed().map(Array.init)) }
        return host[labels[labels.count - count].startIndex...]
    }
}

/// Follows the labels of a host through the table.
private struct Search {
    let table: UnsafeBufferPointer<UInt8>

    /// Returns the number of labels in the prevailing rule, which is an exception or the longest rule.
    func countLabels(of labels: [[UInt8]]) -> Int {
        var count = 1
        guard var rules = rules(below: labels[0]) else { return count }
        for depth in 1..<labels.count {
            let found = find(labels[depth], in: rules)
            if found.isException { return depth }
            if found.isRule { count = depth + 1 }
            guard let below = found.below else { break }
            rules = below
        }
        return count
    }

    /// Returns the rules below a top-level domain; the domains are sorted.
    private func rules(below domain: [UInt8]) -> Range<Int>? {
        var low = 0
        var high = table.count
        while low < high {
            var start = (low + high) / 2
            while start > low, !isBlank(table[start - 1]) { start -= 1 }
            var colon = start
            while table[colon] != UInt8(ascii: ":") { colon += 1 }
            var end = colon
            while end < table.count, !isBlank(table[end]) { end += 1 }
            if isEqual(start..<colon, domain) { return colon + 1..<end }
            if table[start..<colon].lexicographicallyPrecedes(domain) { low = end + 1 } else { high = start }
        }
        return nil
    }

    /// Returns what one level's rules specify for a label.
    private func find(_ label: [UInt8], in rules: Range<Int>) -> (isRule: Bool, isException: Bool, below: Range<Int>?) {
        var isRule = false
        var below: Range<Int>?
        var index = rules.lowerBound
        while index < rules.upperBound {
            let start = index
            var isException = false
            var isWildcard = false
            while index < rules.upperBound, !isMark(table[index]) {
                if table[index] == UInt8(ascii: "!") { isException = true }
                if table[index] == UInt8(ascii: "*") { isWildcard = true }
                index += 1
            }
            let name = (isException ? start + 1 : start)..<index
            let hasRules = index < rules.upperBound && table[index] != UInt8(ascii: ",")
            let isNoRule = hasRules && table[index] == UInt8(ascii: "[")
            let inner = index + 1
            if hasRules { index = end(ofRulesFrom: index) }
            if isWildcard {
                isRule = true
            } else if isEqual(name, label) {
                if isException { return (false, true, nil) }
                isRule = isRule || !isNoRule
                below = hasRules ? inner..<index - 1 : nil
            }
            index += 1
        }
        return (isRule, false, below)
    }

    /// Returns the index after the bracket that closes the one at an index.
    private func end(ofRulesFrom start: Int) -> Int {
        var depth = 0
        var index = start
        repeat {
            let byte = table[index]
            if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") { depth -= 1 }
            index += 1
        } while depth > 0 && index < table.count
        return index
    }

    private func isEqual(_ range: Range<Int>, _ label: [UInt8]) -> Bool {
        guard range.count == label.count else { return false }
        for offset in 0..<label.count where table[range.lowerBound + offset] != label[offset] { return false }
        return true
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }

    private func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[")
    }
}
