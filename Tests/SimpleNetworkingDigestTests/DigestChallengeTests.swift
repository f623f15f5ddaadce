import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingDigest

/// Responses to Digest challenges, with the examples of the RFCs.
@Suite(.timeLimit(.minutes(1)))
struct DigestChallengeTests {
    private static let example = """
        realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
        opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """

    private static func response(
        _ challenges: [String],
        user: String = "Mufasa",
        password: String = "Circle of Life",
        clientNonce: String = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    ) -> String? {
        let fields = challenges.map { HTTPHeaders.Field("WWW-Authenticate", $0) }
        return DigestChallenge(HTTPHeaders(fields: fields))?.response(
            of: .init(name: user, password: Secret(password)),
            to: .get,
            "/dir/index.html",
            count: 1,
            clientNonce: clientNonce
        )
    }

    /// RFC 7616 §3.9.1.
    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func theExampleOfTheRFC(algorithm: String, response: String) {
        let value = Self.response(["Digest \(Self.example), algorithm=\(algorithm)"])
        #expect(
            value == """
                Digest username="Mufasa", realm="http-auth@example.org", \
                nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", response="\(response)", \
                algorithm=\(algorithm), opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, \
                cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
                """
        )
    }

    /// RFC 2617 §3.5, and RFC 2069 §2.4 as its erratum has it.
    @Test(arguments: [
        (#", qop="auth,auth-int""#, "Circle Of Life", "6629fae49393a05397450978507c4ef1"),
        ("", "CircleOfLife", "1949323746fe6a43ef61f9606e7febea"),
    ])
    func theExamplesOfOlderRFCs(quality: String, password: String, response: String) throws {
        let challenge = #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""# + quality
        let value = try #require(Self.response([challenge], password: password, clientNonce: "0a4f113b"))
        #expect(value.contains(#"response="\#(response)""#))
        #expect(value.contains("qop") == !quality.isEmpty)
    }

    /// As with curl: values that RFC 7616 doesn't define are ignored, and without any other one, RFC 2069 applies.
    @Test(arguments: [
        #", qop="""#, #", qop=" ""#, #", qop=",""#, ", qop=", #", qop="auth-conf""#, #", qop="none, token""#, "",
    ])
    func aChallengeWithoutAKnownQualityIsOfTheOldestForm(quality: String) throws {
        let challenge = #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""# + quality
        let value = try #require(Self.response([challenge + ", opaque=o"], password: "CircleOfLife"))
        #expect(value.contains(#"response="1949323746fe6a43ef61f9606e7febea""#))
        #expect(value.contains(#"opaque="o""#))
        for name in ["qop", "nc=", "cnonce"] { #expect(!value.contains(name)) }
    }

    @Test(arguments: [
        #""auth""#, "auth", #""AUTH""#, #""auth-int, auth""#, #""auth-int,auth""#, #"",auth,""#, #""x, auth""#,
    ])
    func aKnownQualityIsUsed(quality: String) throws {
        let value = try #require(Self.response([#"Digest realm="a", nonce="n", qop="# + quality]))
        #expect(value.contains("qop=auth, nc=00000001"))
    }

    private static let weak = #"Digest realm="a", nonce="n", qop=auth, algorithm=MD5"#
    private static let strong = #"DIGEST Nonce="n", REALM="a", algorithm=sha-256, qop="auth""#

    @Test(arguments: [
        ["\(weak), \(strong)"], ["\(strong), \(weak)"], [strong, weak], [weak, strong],
        [#"Basic realm="x, y", Digest algorithm=SHA-512-256, nonce="n", realm="a""#, strong],
    ])
    func theStrongestChallengeIsMet(challenges: [String]) throws {
        let value = try #require(Self.response(challenges))
        #expect(value.lowercased().contains("algorithm=sha-256") && !value.contains("MD5"))
    }

    @Test(arguments: [
        "", "Basic realm=\"a\"", "Digest", "Digest realm=\"a\"", "Digest nonce=\"n\"",
        #"Digest realm="a", nonce="n", algorithm=SHA-512-256"#, #"Digest realm="a", nonce="n", qop="auth-int""#,
        #"Digest realm="a", nonce="n", qop="x, auth-int""#,
        #"Digest realm="a, nonce="n"#,
    ])
    func whatCannotBeMetIsNoChallenge(challenge: String) { #expect(Self.response([challenge]) == nil) }

    @Test
    func aSessionsDigestHoldsBothNonces() throws {
        let plain = #"Digest realm="a", nonce="n", qop=auth, algorithm=MD5"#
        let session = try #require(Self.response([plain + "-sess"], clientNonce: "c"))
        let key = MD5.digest("Mufasa:a:Circle of Life".utf8).hexadecimal
        let secret = MD5.digest("\(key):n:c".utf8).hexadecimal
        let request = MD5.digest("GET:/dir/index.html".utf8).hexadecimal
        let response = MD5.digest("\(secret):n:00000001:c:auth:\(request)".utf8).hexadecimal
        #expect(session.contains("response=\"\(response)\""))
    }

    @Test(arguments: [
        ("a\"b\\c", "", #"username="a\"b\\c""#), ("Jäsøn Doe", "", "username*=UTF-8''J%C3%A4s%C3%B8n%20Doe"),
        ("Mufasa", ", userhash=true", "username=\"\(MD5.digest("Mufasa:a".utf8).hexadecimal)\""),
    ])
    func aNameIsQuotedEncodedOrHidden(user: String, parameter: String, field: String) throws {
        let value = try #require(Self.response([#"Digest realm="a", nonce="n""# + parameter], user: user))
        #expect(value.contains(field + ", "))
        #expect(value.contains("userhash=true") == !parameter.isEmpty)
    }

    /// RFC 1321 §A.5.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func md5IsThatOfTheRFC(text: String, digest: String) { #expect(MD5.digest(text.utf8).hexadecimal == digest) }
}
