import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Problems as RFC 9457 has them, whole and malformed.
@Suite
struct ProblemDetailsTests {
    private static let outOfCredit = #"""
        {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.", "status": 403,
         "detail": "Your balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc",
         "balance": 30, "accounts": ["/account/12345", "/account/67890"]}
        """#

    private func error(
        _ content: String,
        type: String = "application/problem+json",
        status: Int = 403,
        sent: HTTPHeaders = [:]
    ) throws -> SimpleNetworkingError {
        let url = try #require(URL(string: "https://api.example.com/v1/orders?page=2"))
        let response = SimpleResponse(
            request: RequestHead(method: .post, url: url, headers: sent),
            httpStatus: status,
            headers: ["Content-Type": type],
            data: Data(content.utf8)
        )
        return try #require(response.error)
    }

    @Test(arguments: ["application/problem+json", "Application/Problem+JSON; charset=utf-8"])
    func membersOfRFC9457AreRead(type: String) throws {
        let problem = try #require(try error(Self.outOfCredit, type: type).problem)
        #expect(problem.type == "https://example.com/probs/out-of-credit")
        #expect(problem.title == "You do not have enough credit.")
        #expect(problem.status == 403)
        #expect(problem.detail == "Your balance is 30, but that costs 50.")
        #expect(problem.instance == "https://api.example.com/account/12345/msgs/abc")
    }

    @Test
    func furtherMembersAreJSONValues() throws {
        let members = try #require(try error(Self.outOfCredit).problem).members
        #expect(members.keys.sorted() == ["accounts", "balance"])
        #expect(members["balance"] as? Int == 30)
        #expect(members["accounts"] as? [String] == ["/account/12345", "/account/67890"])
    }

    @Test(arguments: ["application/json", "application/problem+xml", "text/plain"])
    func contentOfAnotherTypeIsNoProblem(type: String) throws {
        #expect(try error(Self.outOfCredit, type: type).problem == nil)
    }

    @Test(arguments: ["", "[]", "7", #"{"title": "#, "nonsense"])
    func contentThatIsNoObjectIsNoProblem(content: String) throws {
        let error = try error(content)
        #expect(error.problem == nil)
        #expect(error.description.contains("was refused with status 403."))
    }

    @Test
    func anErrorWithoutAResponseHasNoProblem() {
        #expect(SimpleNetworkingError.cancelled(nil).problem == nil)
    }

    @Test
    func anEmptyObjectIsAProblemWithoutWords() throws {
        let problem = try #require(try error("{}").problem)
        #expect(problem.type == "about:blank")
        #expect(problem.title == nil && problem.status == nil && problem.detail == nil && problem.instance == nil)
        #expect(problem.members.isEmpty)
        #expect("\(problem)" == "about:blank")
    }

    /// RFC 9457 §3.1.
    @Test
    func membersOfAWrongTypeAreIgnored() throws {
        let content = #"{"type": 1, "title": ["a"], "status": "403", "detail": {"a": 1}, "instance": null}"#
        let problem = try #require(try error(content).problem)
        #expect(problem.type == "about:blank")
        #expect(problem.title == nil && problem.status == nil && problem.detail == nil && problem.instance == nil)
        #expect(problem.members.isEmpty)
    }

    @Test(arguments: [
        ("true", nil), ("403.5", nil), ("99", nil), ("600", nil), ("1e300", nil), ("-403", nil), ("100", 100),
        ("599", 599), ("403.0", 403),
    ])
    func onlyAStatusIsOne(text: String, status: Int?) throws {
        #expect(try error(#"{"status": \#(text)}"#).problem?.status == status)
    }

    @Test(arguments: [
        ("about:blank", "about:blank"), ("urn:problem:credit", "urn:problem:credit"),
        ("credit", "https://api.example.com/v1/credit"), ("/credit", "https://api.example.com/credit"),
        ("//example.com/credit", "https://example.com/credit"), ("", ""),
    ])
    func relativeTypesBelongToTheURLOfTheProblem(type: String, absolute: String) throws {
        #expect(try error(#"{"type": "\#(type)"}"#).problem?.type == absolute)
    }

    @Test(arguments: [
        (#"{"title": "No credit.", "detail": "30 is too little."}"#, "No credit. 30 is too little."),
        (#"{"title": "No credit", "detail": "30 is too little."}"#, "No credit: 30 is too little."),
        (#"{"title": "No credit", "balance": 30}"#, "No credit"), (#"{"title": "", "detail": "Late"}"#, "Late"),
        (#"{"balance": 30}"#, #"{"balance":30}"#), (#"{"title": "a\n\u001b b"}"#, "a b"),
    ])
    func theErrorsTextHasTitleAndDetail(content: String, words: String) throws {
        let text = try error(content).description
        #expect(text.hasSuffix("was refused with status 403. The response says: “\(words)”."), "\(text)")
    }

    @Test
    func theTextIsCutAfter200Characters() throws {
        let text = try error(#"{"detail": "\#(String(repeating: "a", count: 300))"}"#).description
        #expect(text.hasSuffix("“" + String(repeating: "a", count: 200) + "…”."))
    }

    @Test
    func secretsAreHiddenInTextsButNotInValues() throws {
        let content = #"{"title": "Bad token s3cr3t-token", "detail": "password=hunter22", "instance": "/a?token=t0k"}"#
        let error = try error(content, sent: ["Authorization": "Bearer s3cr3t-token"])
        let problem = try #require(error.problem)
        #expect(problem.title == "Bad token s3cr3t-token")
        #expect("\(problem)" == "Bad token ‹secret›: password=‹secret›")
        for secret in ["s3cr3t-token", "hunter22", "t0k"] {
            #expect(leaks(of: secret, in: problem) == [])
            #expect(leaks(of: secret, in: error) == [])
        }
    }

    /// A log shows content only where that is configured.
    @Test
    func theTraceHasNoWordsOfTheProblem() async {
        let type: HTTPHeaders = ["Content-Type": "application/problem+json"]
        let problem = StubResponse.json(Self.outOfCredit, status: 403, headers: type)
        let server = StubTransport().on("/x", problem)
        let request = SimpleNetworking(over: server).get("/x")
        let error = await request.ended().error
        #expect(error?.problem?.title == "You do not have enough credit.")
        #expect(!request.trace.description.contains("credit"))
    }
}
