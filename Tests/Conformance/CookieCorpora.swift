import Foundation
import SimpleNetworkingFeatureSupport
import SimpleNetworkingSupport

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// The corpus of RFC 6265, http-state, by RFC 6265bis, which replaces it.
enum CookieCorpora {
    static let cookies = Corpus(name: "Cookies", files: ["cookies/parser.json"], count: 222) { data in
        // The corpus is of 2011, and some of its cookies have ended since.
        let now = Date(timeIntervalSince1970: 1_300_000_000)
        return try [CookieRow](corpus: data[0]).map { row in
            let sent = row.cookies(at: now)
            let expected = row.sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
            guard let change = changes.compactMap({ $0.sent[row.test] }).first else {
                return .init(id: row.test, failure: sent == expected ? nil : "sends \(sent), not \(expected)")
            }
            let failure = change == expected ? "has not changed" : "sends \(sent), not \(change)"
            return .init(id: row.test, failure: sent == change && change != expected ? nil : failure)
        }
    }

    static let dates = Corpus(
        name: "Cookie dates",
        files: ["cookies/dates/examples.json", "cookies/dates/bsd-examples.json"],
        count: 70
    ) { data in
        try data.flatMap { try [DateRow](corpus: $0) }.map { row in
            let expected = row.expected.flatMap { HTTPDate.date($0) }
            let isRead = (expected == nil) == (row.expected == nil) && CookieDate.date(row.test) == expected
            return .init(id: row.test, failure: isRead ? nil : "is not \(row.expected ?? "rejected")")
        }
    }

    /// The rows in which RFC 6265bis differs from RFC 6265, with what it has sent.
    static let changes: [(reason: String, sent: [String: String])] = [
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
}

private struct DateRow: Decodable {
    let test: String
    let expected: String?
}

private struct CookieRow: Decodable {
    struct Pair: Decodable {
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

    /// The cookies that are sent after the received ones, as they are sent.
    func cookies(at now: Date) -> String {
        guard let page = URL(string: "http://home.example.org:8888/cookie-parser?\(test)"),
            let target = URL(string: target ?? "/cookie-parser-result?\(test)", relativeTo: page)
        else { return "nothing: there is no URL" }
        let jar = CookieJar()
        jar.store(HTTPHeaders(fields: received.map { .init("Set-Cookie", $0) }), from: page, now: now)
        return jar.cookies(for: target.absoluteURL, now: now).map(\.pair).joined(separator: "; ")
    }
}
