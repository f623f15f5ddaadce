import Foundation
import SimpleNetworkingTestSupport

/// The public suffix list's own tests.
enum PublicSuffixCorpus {
    static let corpus = Corpus(name: "Public suffixes", files: ["public-suffix/test_psl.txt"], count: 77) { data in
        let pattern = /checkPublicSuffix\('([^']*)', (?:'([^']*)'|null)\);/
        // One row is about no host at all.
        return String(decoding: data[0], as: UTF8.self).matches(of: /(?m)^checkPublicSuffix\('.*$/).map { line in
            guard let match = line.output.wholeMatch(of: pattern) else {
                return .init(id: String(line.output), failure: "can't be read")
            }
            let expected = match.2.flatMap { URL(string: "https://\($0)/")?.host }
            let domain = registrableDomain(of: String(match.1))
            let isMet = domain == expected && (expected == nil) == (match.2 == nil)
            return .init(id: String(match.1), failure: isMet ? nil : "is below \(domain ?? "none")")
        }
    }
}
