import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

struct SecretMemoryTests {
    private let memory = SecretMemory()

    private func note(
        _ path: String = "/x",
        _ headers: HTTPHeaders = [:],
        json: String? = nil,
        form: String? = nil
    ) throws {
        var headers = headers
        headers["Content-Type"] = json.map { _ in "application/json; charset=utf-8" } ?? MediaType.form.rawValue
        let url = try #require(URL(string: "https://example.com" + path))
        let body = (json ?? form).map { RequestBody.data(Data($0.utf8)) } ?? .none
        memory.note(RequestHead(url: url, headers: headers), body)
    }

    @Test
    func aTextWithoutSecretsIsUnchanged() throws {
        try note("/x?page=2", ["Accept": "abcdefgh"], json: #"{"name": "abcdefgh"}"#)
        #expect(memory.count == 0)
        #expect(memory.hide(in: "abcdefgh") == "abcdefgh")
    }

    @Test(arguments: [
        "abcdefgh", "ab cd/ä+=", #"a"b\c d"#, "“abc”‹secret›", "secret", "123456", "-----BEGIN KEY-----\nb3BlbnNza\r\n",
        "tab\tbell\u{8}feed\u{C}nul\u{1}",
    ])
    func aSecretIsHiddenInEveryEncoding(secret: String) throws {
        memory.note(
            RequestHead(url: URL(fileURLWithPath: "/"), headers: ["Authorization": "Bearer \(secret)"]),
            .none
        )
        let encoded = secret.utf8.map { String(format: "%%%02x", $0) }.joined()
        let json = String(
            decoding: try JSONSerialization.data(withJSONObject: [secret], options: .withoutEscapingSlashes),
            as: UTF8.self
        )
        #expect(memory.hide(in: "a \(secret). \(secret)\(secret)") == "a ‹secret›. ‹secret›‹secret›")
        #expect(memory.hide(in: json) == #"["‹secret›"]"#)
        #expect(memory.hide(in: "‹secret›") == "‹secret›")
        for text in [encoded, encoded.uppercased()] { #expect(memory.hide(in: "a\(text)b%zz%") == "a‹secret›b%zz%") }
    }

    @Test(arguments: ["SSWS", "DPoP", "apikey"])
    func theCredentialOfAnySchemeIsHiddenAlso(scheme: String) throws {
        try note("/x", ["Authorization": "\(scheme) 00abcDEF123456"])
        #expect(memory.hide(in: "key 00abcDEF123456 is suspended") == "key ‹secret› is suspended")
    }

    @Test(arguments: ["%-1", "%-f", "%+4", "%", "%4", #"\u-001"#, #"\u+041"#, #"\u00"#, #"\uFFFF"#, #"\"#, "+", "%é1"])
    func whatIsNoEncodingIsLeft(text: String) throws {
        try note("/x", ["X-Token": "abcdef"])
        #expect(memory.hide(in: text) == text && memory.hide(in: "a\(text)b") == "a\(text)b")
    }

    @Test
    func theLongerOfTwoSecretsIsHiddenToItsEnd() throws {
        try note("/x", ["X-Token": "abcdef"])
        try note("/x", ["X-Token": "abcdefghijkl"])
        #expect(memory.hide(in: "abcdefghijkl abcdefgh") == "‹secret› ‹secret›gh")
    }

    @Test(arguments: [
        (#"{"user": {"pin": 12345678}}"#, "12345678"), (#"{"p\u0069n": "abcdefgh"}"#, "abcdefgh"),
        (#"{"a\"b": "\"", "list": [{"Token": ["abcdefgh"]}]}"#, "abcdefgh"), (#"{"token" :"abcdefgh"}"#, "abcdefgh"),
        (#"{"token": "ab\"cdefg"}"#, #"ab"cdefg"#),
    ])
    func secretMembersOfJSONAreFound(json: String, secret: String) throws {
        try note(json: json)
        #expect(memory.hide(in: secret) == "‹secret›")
    }

    @Test(arguments: [
        #"{"text": "token"}"#, #"{"text": "\"token\": 1"}"#, #"["token", "abcdefgh"]"#, #"{"token""#, #"{"token\"#,
        "\"",
        #"{"name": "abcdefgh"}"#, "", "abcdefgh",
    ])
    func otherJSONHasNone(json: String) throws {
        try note(json: json)
        #expect(memory.count == 0)
    }

    @Test(arguments: ["a=1&pass%63ode=ab+cd%2Fef", "token=x&token=ab+cd%2fef"])
    func secretMembersOfFormsAreFoundAndDecoded(form: String) throws {
        try note(form: form)
        #expect(memory.hide(in: "ab cd/ef ab+cd%2Fef ab%20cd%2Fef") == "‹secret› ‹secret› ‹secret›")
    }

    @Test
    func theLeastRecentlyUsedSecretsAreEvicted() throws {
        try note("/x", ["Authorization": "Bearer the-one-in-use"])
        for number in 0..<20_000 {
            try note("/x?access_token=t0ken-\(number)", ["Authorization": "Bearer the-one-in-use"])
        }
        #expect(memory.count < 1000)
        #expect(memory.hide(in: "the-one-in-use t0ken-19999") == "‹secret› ‹secret›")
        #expect(memory.hide(in: "t0ken-00") == "t0ken-00")
        // A huge one does not push the others out.
        try note("/x", ["X-Token": String(repeating: "x", count: 100_000)])
        #expect(memory.hide(in: "the-one-in-use") == "‹secret›")
    }

    @Test
    func manyNamesDoNotGrowTheMemory() throws {
        for number in 0..<2_000 { try note("/x", HTTPHeaders(["X-\(number)": "1", "X-Token": "abcdefgh"])) }
        #expect(memory.count == 1)
        #expect(memory.hide(in: "abcdefgh") == "‹secret›")
    }
}
