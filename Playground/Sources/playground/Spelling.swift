/// Finds the word that was meant by a misspelt one.
enum Spelling {
    /// Returns the known word that differs least, by at most two letters; nil if the word is a known one, or like none.
    static func nearMiss(of word: String, in known: [String]) -> String? {
        if known.contains(word) { return nil }
        let candidates = known.map { (word: $0, distance: distance(from: word, to: $0)) }
        return candidates.filter { $0.distance <= min(2, word.count - 1) }.min { $0.distance < $1.distance }?.word
    }

    /// The number of letters to add, remove or replace (Levenshtein); two letters in the wrong order count as two.
    private static func distance(from first: String, to second: String) -> Int {
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
