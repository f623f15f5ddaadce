/// Remembers the pages of one list, so that a link to one of them is found.
///
/// It is shared by the positions in the list, since a copy for each page would take as long as all pages before it. A list
/// may have no end, so it keeps hashes and not URLs.
final class VisitedPages: Sendable {
    /// The number of each page that was read, by the hash of its URL.
    private let numbers = Locked<[Int: Int]>([:])

    /// Notes the URLs of a page, once more if it is read again.
    func note(_ urls: [String], number: Int) {
        numbers.withLock { numbers in
            for url in urls { numbers[url.hashValue] = number }
        }
    }

    /// Whether a URL is that of this page or of one before it.
    func contains(_ url: String, upTo number: Int) -> Bool {
        numbers.withLock { numbers in numbers[url.hashValue].map { $0 <= number } ?? false }
    }
}
