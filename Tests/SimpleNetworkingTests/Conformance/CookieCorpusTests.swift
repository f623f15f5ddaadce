import Foundation
import Testing

@testable import SimpleNetworking

/// The corpus of RFC 6265, http-state, with the rows named where RFC 6265bis says something else.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.missing)))
struct CookieCorpusTests {
    private struct Row: Decodable {
        struct Pair: Decodable, Equatable {
            let name: String
            let value: String
        }

        let test: String
        let received: [String]
        let sent: [Pair]
        let target: String?

        private enum CodingKeys: String, CodingKey {
            case test, received, sent
            case target = "sent-to"
        }
    }

    /// The rows in which RFC 6265bis differs from RFC 6265, with what it has sent.
    private static let deviations: [(reason: String, sent: [String: String])] = [
        (
            "a pair without a name is a cookie, and sent as its value (§5.6, §5.8.3)",
            [
                "0004": "foo", "0021": "a=b; x; c=d", "0023": "foo", "0024": "foo", "0025": "foo", "0026": "foo",
                "0027": "bar", "0028": "foo", "CHROMIUM0009": "BLAHHH", "CHROMIUM0010": #""BLA\"HHH""#,
                "CHROMIUM0012": "ABC", "MOZILLA0012": #"test="fubar! = foo; five"#, "MOZILLA0014": "six",
                "MOZILLA0015": "seven", "MOZILLA0016": "eight", "MOZILLA0017": "eight; test=six",
                "NAME0017": "a=bar", "NAME0023": "foo", "NAME0025": "==a=bar", "NAME0028": "a",
                "NAME0031": #""foo"#, "NAME0032": #""foo\"bar"#, "NAME0033": "aaa",
            ]
        ),
        (
            "a control character anywhere has the whole field ignored (§5.6)",
            ["DISABLED_CHROMIUM0022": "", "DISABLED_CHROMIUM0023": ""]
        ),
        ("paths are compared as they are, not decoded (§5.1.4)", ["DISABLED_PATH0029": ""]),
        ("the last Domain counts, though it is empty (§5.7)", ["OPTIONAL_DOMAIN0042": "foo=bar"]),
    ]

    @Test
    func everySetCookieIsReadAsRFC6265bisSays() throws {
        // The corpus is of 2011, and some of its cookies have ended since.
        let now = Date(timeIntervalSince1970: 1_300_000_000)
        let rows = try Corpus.json("cookies/parser.json", as: [Row].self)
        #expect(rows.count == 222)
        for row in rows {
            let page = try #require(URL(string: "http://home.example.org:8888/cookie-parser?\(row.test)"))
            let target = URL(string: row.target ?? "/cookie-parser-result?\(row.test)", relativeTo: page)
            let jar = CookieJar()
            jar.store(HTTPHeaders(fields: row.received.map { .init("Set-Cookie", $0) }), from: page, now: now)
            let cookies = jar.cookies(for: try #require(target).absoluteURL, now: now)
            let sent = cookies.map(\.pair).joined(separator: "; ")
            let expected = row.sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
            let deviation = Self.deviations.compactMap { $0.sent[row.test] }.first
            #expect(deviation != expected, "\(row.test) is no deviation")
            #expect(sent == deviation ?? expected, "\(row.test): \(row.received)")
        }
    }

    @Test(arguments: [("cookies/dates/examples.json", 15), ("cookies/dates/bsd-examples.json", 55)])
    func everyDateIsReadAsRFC6265bisSays(file: String, count: Int) throws {
        struct Row: Decodable {
            let test: String
            let expected: String?
        }
        let rows = try Corpus.json(file, as: [Row].self)
        #expect(rows.count == count)
        for row in rows {
            let expected = row.expected.flatMap { HTTPDate.date($0) }
            #expect((expected == nil) == (row.expected == nil))
            #expect(CookieDate.date(row.test) == expected, "\(row.test)")
        }
    }
}
