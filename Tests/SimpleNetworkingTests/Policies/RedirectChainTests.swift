import Foundation
import Testing

@testable import SimpleNetworkingCore

struct RedirectChainTests {
    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
        (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "PUT", "GET"), (303, "DELETE", "GET"),
        (303, "HEAD", "HEAD"),
        (301, "HEAD", "HEAD"), (302, "GET", "GET"), (303, "GET", "GET"), (307, "PATCH", "PATCH"),
        (303, "OPTIONS", "GET"),
    ])
    func theMethodChangesAsTheRFCSays(status: Int, method: String, next: String) throws {
        var chain = try chain(HTTPMethod(rawValue: method), "https://h/a", hasBody: true)
        let step = try step(chain.next(status: status, headers: ["Location": "/b"]))
        #expect(step.head.method.rawValue == next)
        #expect(step.keepsBody == (method == next))
        #expect(step.head.url.absoluteString == "https://h/b")
    }

    @Test(arguments: [(301, "POST"), (302, "POST"), (303, "GET"), (307, "POST"), (308, "POST")])
    func policyThatKeepsTheMethodRepeatsAPost(status: Int, next: String) throws {
        var chain = try chain(.post, "https://h/a", hasBody: true, policy: RedirectPolicy(keepsMethod: true))
        let step = try step(chain.next(status: status, headers: ["Location": "/b"]))
        #expect(step.head.method.rawValue == next)
        #expect(step.keepsBody == (next == "POST"))
    }

    @Test(arguments: [(301, "QUERY"), (302, "QUERY"), (303, "GET"), (307, "QUERY")])
    func queryKeepsItsMethodUnlessTheServerSaysSeeOther(status: Int, next: String) throws {
        var chain = try chain(.query, "https://h/a", hasBody: true)
        let step = try step(chain.next(status: status, headers: ["Location": "/b"]))
        #expect(step.head.method.rawValue == next)
        #expect(step.keepsBody == (next == "QUERY"))
    }

    @Test
    func contentFieldsAreRemovedWithTheContent() throws {
        let fields: HTTPHeaders = [
            "Content-Type": "a/b", "content-length": "3", "Content-Encoding": "gzip", "Expect": "100-continue",
            "Accept": "c/d", "Digest": "sha-256=abc", "Repr-Digest": "sha-256=:abc:", "content-digest": "sha-256=:abc:",
            "Last-Modified": "Fri, 27 Nov 2026 17:00:00 GMT",
        ]
        for (status, names) in [(303, ["Accept"]), (307, fields.names)] {
            var chain = try chain(.post, "https://h/a", fields, hasBody: true)
            #expect(try step(chain.next(status: status, headers: ["Location": "/b"])).head.headers.names == names)
        }
    }

    @Test(arguments: [200, 300, 304, 305, 306, 309, 400, 401, 500])
    func otherStatusesAreOrdinaryResponses(status: Int) throws {
        var chain = try chain()
        #expect(chain.next(status: status, headers: ["Location": "/b"]) == .stop)
    }

    @Test
    func redirectWithoutURLIsReturned() throws {
        var chain = try chain()
        #expect(chain.next(status: 302, headers: [:]) == .stop)
        #expect(chain.next(status: 302, headers: ["Location": ""]) == .stop)
    }

    @Test
    func policyWithoutRedirectsReturnsTheRedirect() throws {
        var chain = try chain(policy: .never)
        #expect(chain.next(status: 302, headers: ["Location": "/b"]) == .stop)
    }

    @Test(arguments: [
        ("http://h/b", "https to http"), ("ftp://h/b", "its scheme “ftp” is not supported, only http and https are"),
        ("mailto:a@b", "its scheme “mailto” is not supported, only http and https are"),
        ("https://", "no host"),
        ("https://u:hunter2@h/b", "user information"), ("//u:hunter2@h/b", "user information"),
        ("https://a b/", "valid"),
        ("/b\r\nX: y", "control character"),
    ])
    func aRedirectThatIsNotSafeIsRefused(location: String, reason: String) throws {
        var chain = try chain()
        let decision = chain.next(status: 302, headers: ["Location": location])
        guard case .refuse(let words) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(words.contains(reason))
        #expect(!words.contains("hunter2"))
    }

    /// Every URL that a server names is checked by this function.
    @Test(arguments: [
        ("https://h/a", "http://h/a", true), ("HTTPS://h/a", "HTTP://h/a", true),
        ("https://h", "http://localhost", true),
        ("https://localhost", "http://localhost", true), ("https://h", "https://other", false),
        ("http://h", "https://h", false), ("http://h", "http://other", false),
    ])
    func aURLOfAServerMustNotLeadToHTTP(source: String, target: String, isRefused: Bool) throws {
        let (source, target) = (try #require(URL(string: source)), try #require(URL(string: target)))
        for policy in [RedirectPolicy.follow, .never] {
            #expect((policy.refusal(of: target, from: source) != nil) == isRefused)
        }
        #expect(RedirectPolicy(allowsDowngrade: true).refusal(of: target, from: source) == nil)
    }

    @Test
    func twoDifferentLocationsAreRefused() throws {
        var chain = try chain()
        var headers: HTTPHeaders = ["Location": "/b"]
        headers.append("location", "/b")
        #expect(try step(chain.next(status: 302, headers: headers)).head.url.path == "/b")
        headers.append("Location", "/c")
        #expect(chain.next(status: 302, headers: headers) == .refuse(reason: "it names more than one URL"))
    }

    @Test
    func anHTTPURLIsFollowedFromHTTPSIfAllowed() throws {
        var chain = try chain(policy: RedirectPolicy(allowsDowngrade: true))
        #expect(try step(chain.next(status: 302, headers: ["Location": "http://h/b"])).head.url.scheme == "http")
    }

    @Test
    func redirectsBeyondTwentyFail() throws {
        var chain = try chain()
        for number in 1...20 { _ = try step(chain.next(status: 302, headers: ["Location": "/\(number)"])) }
        #expect(chain.count == 20)
        #expect(
            chain.next(status: 302, headers: ["Location": "/21"])
                == .refuse(reason: "there were more than 20 redirects")
        )
    }

    @Test(arguments: [["/a"], ["#x"], ["https://h/a#b"], ["/b", "/a"], ["/b", "/c"]])
    func redirectsToURLsThatWereVisitedAreFollowedUpToTheLimit(locations: [String]) throws {
        var chain = try chain(policy: RedirectPolicy(limit: 6))
        for number in 0..<6 {
            let location = locations[number % locations.count]
            _ = try step(chain.next(status: 302, headers: ["Location": location]))
        }
        #expect(
            chain.next(status: 302, headers: ["Location": "/a"])
                == .refuse(reason: "there were more than 6 redirects")
        )
    }

    @Test(arguments: [
        ("https://h/b", true), ("https://cdn.h/b", true), ("https://evil/b", false), ("https://h:444/b", false),
        ("//evil/b", false), ("https://H/b", true), ("https://h:443/b", true),
    ])
    func credentialsAreSentToTrustedOriginsOnly(location: String, areKept: Bool) throws {
        var chain = try chain(.get, "https://h/a", secrets)
        let step = try step(chain.next(status: 307, headers: ["Location": location]))
        let names = [
            "Authorization", "proxy-authorization", "Cookie", "X-Api-Key", "X-Auth-Token", "X-Mine",
        ]
        #expect(step.removedFields == (areKept ? [] : names))
        #expect(step.head.headers["Accept"] == "a/b")
        for name in names { #expect(step.head.headers.contains(name) == areKept) }
    }

    @Test
    func droppedCredentialsAreNotSentByLaterRedirects() throws {
        var chain = try chain(.get, "https://h/a", secrets)
        _ = try step(chain.next(status: 302, headers: ["Location": "https://evil/"]))
        let back = try step(chain.next(status: 302, headers: ["Location": "https://h/b"]))
        #expect(back.head.headers.names == ["Accept"])
    }

    @Test
    func hostFieldIsRemovedForAnotherHost() throws {
        for (location, isKept) in [("/b", true), ("https://cdn.h/b", false)] {
            var chain = try chain(.get, "https://h/a", ["Host": "other"])
            #expect(
                try step(chain.next(status: 302, headers: ["Location": location])).head.headers.contains("host")
                    == isKept
            )
        }
    }

    @Test(arguments: [
        ("/ü b", "/%C3%BC%20b"), ("/\u{C3}\u{BC}", "/%C3%83%C2%BC"), ("/\u{FC}", "/%C3%BC"),
        ("/日本", "/%E6%97%A5%E6%9C%AC"),
    ])
    func aURLOfAnyCharsetIsFollowed(location: String, path: String) throws {
        var chain = try chain()
        let step = try step(chain.next(status: 302, headers: ["Location": location]))
        #expect(step.head.url.absoluteString == "https://h" + path)
    }

    private let secrets: HTTPHeaders = [
        "Authorization": "a", "proxy-authorization": "b", "Cookie": "c", "X-Api-Key": "d", "X-Auth-Token": "e",
        "X-Mine": "f",
        "Accept": "a/b",
    ]

    private func chain(
        _ method: HTTPMethod = .get,
        _ url: String = "https://h/a",
        _ headers: HTTPHeaders = [:],
        hasBody: Bool = false,
        policy: RedirectPolicy = .follow
    ) throws -> RedirectChain {
        let head = RequestHead(method: method, url: try #require(URL(string: url)), headers: headers)
        let trusted = Set(["https://h", "https://cdn.h"].compactMap { Origin($0 as String) })
        let sharing = CrossOriginFields(secretNames: ["x-mine"])
        return RedirectChain(policy: policy, head: head, hasBody: hasBody, trusted: trusted, sharing: sharing)
    }

    private func step(_ decision: RedirectChain.Decision) throws -> RedirectChain.Step {
        guard case .follow(let step) = decision else { throw NetworkFailure(.other, detail: "\(decision)") }
        return step
    }
}
