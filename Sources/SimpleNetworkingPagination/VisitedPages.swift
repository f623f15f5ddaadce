import SimpleNetworkingSupport

/// Records the pages of one list, so that a link back to one of them is detected.
///
/// All positions in the list share one instance, because copying the instance for each page would take longer with each
/// page. A list may be endless, so the instance stores hashes instead of URLs.
final class VisitedPages: Sendable {
    /// The number of each visited page, by the hash of its URL.
    private let numbers = Locked<[Int: Int]>([:])

    /// Records the URLs of a page, even if the page was recorded before.
    func note(_ urls: [String], number: Int) {
        numbers.withLock { numbers in
            for url in urls { numbers[url.hashValue] = number }
        }
    }

    /// Returns whether a URL belongs to this page or an earlier one.
    func contains(_ url: String, upTo number: Int) -> Bool {
        numbers.withLock { numbers in numbers[url.hashValue].map { $0 <= number } ?? false }
    }
}
