import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite
struct RedactionContentTests {
    @Test(arguments: [
        (#"{"access_token":"s3cret","n":1}"#, MediaType.json, #"{"access_token":"‹secret›","n":1}"#),
        (#"{"a":[{"Password":"s3cret"}]}"#, .json, #"{"a":[{"Password":"‹secret›"}]}"#),
        (#"{"client_secret":{"v":"s3cret"},"token":null}"#, .json, #"{"client_secret":"‹secret›","token":null}"#),
        (#"{"next":"/p?__token=s3cret&limit=1"}"#, .json, #"{"next":"/p?__token=‹secret›&limit=1"}"#),
        (#"{"to":"app://cb#access_token=s3cret"}"#, .json, #"{"to":"app://cb"}"#),
        (#"{"token":"s3cret""#, .json, #"{"token":"‹secret›""#),
        (#"[true,"s, a=b?"]"#, .text, #"[true,"s, a=b?"]"#),
        ("user=ada&password=s3cret&x=1", .form, "user=ada&password=‹secret›&x=1"),
        ("user=ada&pass%77ord=s3cret", .form, "user=ada&pass%77ord=‹secret›"),
        ("see https://h/x?token=s3cret for more", .text, "see https://h/x?token=‹secret› for more"),
        ("Authorization: Bearer s3cret\nA: b", .text, "Authorization: ‹secret›\nA: b"),
        ("<access_token>s3cret</access_token><a>b</a>", "text/xml", "<access_token>‹secret›</access_token><a>b</a>"),
        (#"<a href="/x?token=s3cret&amp;b=c">"#, "text/html", #"<a href="/x?token=‹secret›&amp;b=c">"#),
        (#"<a b='db://ada:s3cret@h/x' c="d">"#, "text/html", #"<a b='db://‹secret›@h/x' c="d">"#),
        (#"<a b="{'token':'s3cret'}" c="d>e">"#, "text/html", #"<a b="{'token':'‹secret›'}" c="d>e">"#),
        ("a = b", .text, "a = b"),
        ("token:\ts3cret\nb", .text, "token:\t‹secret›\nb"), ("token\t=\ts3cret", .text, "token\t=\t‹secret›"),
        ("at db://ada:s3cret@h/x, not http://h/@x", .text, "at db://‹secret›@h/x, not http://h/@x"),
        (#"{"a":"db://ada:s3cret@h/x"}"#, .json, #"{"a":"db://‹secret›@h/x"}"#),
        (#"{"a":"a@b.example"}"#, .json, #"{"a":"a@b.example"}"#),
        (#"{"a":"//ada:s3cret@h/x"}"#, .json, #"{"a":"//‹secret›@h/x"}"#),
        (#"{"a":"no http:/ada:s3cret@h, not a@b"}"#, .json, #"{"a":"no http:/‹secret›@h, not a@b"}"#),
        (#"{"a":"no db://ada:s3cret@h/x"}"#, .json, #"{"a":"no db://‹secret›@h/x"}"#),
        ("at //ada:s3cret@h/x or htps://s3cret@h", .text, "at //‹secret›@h/x or htps://‹secret›@h"),
        ("at http:/ada:s3cret@h/x, not a:/b@c", .text, "at http:/‹secret›@h/x, not a:/b@c"),
        (#"{"a":"https:\/\/ada:s3cret@h""#, .json, #"{"a":"https:\/\/‹secret›@h""#),
        ("</ada@x> // ada@b, C:\\a@b", .text, "</ada@x> // ada@b, C:\\a@b"),
        (#"{"a":"as eyJhbGciOiJIUzI1NiJ9.e30.s3cret"}"#, .json, #"{"a":"as ‹secret›"}"#),
        (#"{"a":" {\"password\": \"s3cret\", \"b\": 1}"}"#, .json, #"{"a":"{\"b\":1,\"password\":\"‹secret›\"}"}"#),
        (#"{"a":"[{\"b\": 1}]"}"#, .json, #"{"a":"[{\"b\": 1}]"}"#),
        (
            #"{"a":"{\"b\":\"{\\\"pin\\\":\\\"s3cret\\\"}\"}"}"#, .json,
            #"{"a":"{\"b\":\"{\\\"pin\\\":\\\"‹secret›\\\"}\"}"}"#
        ),
        (#"{"a":"{\"token\": \"s3cret"}"#, .json, #"{"a":"{\"token\": \"‹secret›"}"#),
        ("x", "multipart/form-data; boundary=b", "(1 bytes of multipart/form-data)"),
        ("a\0b", .octetStream, "(3 bytes of application/octet-stream)"),
        ("a\nb", "image/jpeg", "(3 bytes of image/jpeg)"),
        ("<svg/>", "image/svg+xml", "<svg/>"),
        ("", .text, ""),
    ])
    func contentIsShownWithoutItsSecrets(text: String, type: MediaType, shown: String) {
        #expect(Redaction.text(ofContent: Data(text.utf8), type: type, limit: 4096) == shown)
    }

    /// An error's code is no secret.
    @Test(arguments: [
        (#"{"error":{"code":"card_declined","message":"no"}}"#, MediaType.json), (#"{"code":1001}"#, .json),
        (#"{"code":"E1","status":429,"title":"t"}"#, "application/problem+json"), (#"[{"code":"x"}]"#, .json),
        (#"{"client_id":"a","error":{"code":"x"}}"#, .json), (#"{"code":"x""#, .json),
        (#"{"code":"x"}"# + "\n" + #"{"code":"y"}"#, "application/jsonl"),
        ("<Error><Code>NoSuchKey</Code></Error>", "application/xml"), (#"<error code="x"/>"#, "application/xml"),
        ("code: card_declined", .text),
    ])
    func aCodeIsShown(text: String, type: MediaType) {
        #expect(Redaction.text(ofContent: Data(text.utf8), type: type, limit: 4096).count == text.count)
        #expect(!Redaction.text(ofContent: Data(text.utf8), type: type, limit: 4096).contains("‹secret›"))
        #expect(Redaction.secrets(of: Data(text.utf8), type: type).isEmpty)
    }

    /// Whether they are OAuth's would otherwise take time as text × codes.
    @Test
    func manyCodesAreLookedAtOnce() {
        let text = String(repeating: "<code>x</code>", count: 20_000)
        #expect(Redaction.text(ofPlain: text) == text)
    }

    /// The code of a redirect, which is worth a token.
    @Test(arguments: [
        (#"{"code":"s3cret","grant_type":"authorization_code"}"#, MediaType.json),
        (#"{"code":"s3cret","state":"x"}"#, .json), (#"{"redirectUri":"a:b","code":"s3cret"}"#, .json),
        (#"{"Code":"s3cret","code_verifier":"s3cret"}"#, .json), (#"{"code":"s3cret","client_id":"x""#, .json),
        (#"{"data":{"code":"s3cret","clientId":"x"}}"#, .json), ("code=s3cret", .form), ("a=b&code=s3cret", .form),
        ("to https://h/?code=s3cret", .text), ("<a><code>s3cret</code><state>x</state></a>", "text/xml"),
        ("code: s3cret\nstate: x", .text),
    ])
    func aCodeOfOAuthIsHidden(text: String, type: MediaType) {
        let shown = Redaction.text(ofContent: Data(text.utf8), type: type, limit: 4096)
        #expect(!shown.contains("s3cret") && shown.contains("‹secret›"), "\(shown)")
    }

    @Test
    func contentIsCutOnlyWhenItsSecretsAreHidden() {
        let data = Data(#"{"password":"s3cret-and-more"}"#.utf8)
        for limit in 0...40 {
            let shown = Redaction.text(ofContent: data, type: .json, limit: limit)
            #expect(!shown.contains("s3c"))
        }
        #expect(Redaction.text(ofContent: Data("abcdef".utf8), type: .text, limit: 2) == "ab… (6 bytes in all)")
    }

    @Test
    func theValueOfASecretFieldIsHiddenEverywhere() {
        let fields: [HTTPHeaders.Field] = [
            .init("Authorization", "Bearer abcdef"), .init("X-Own", "ghijkl", isSecret: true),
            .init("Cookie", "a=mnopqr; b=stuvwx"), .init("Set-Cookie", "id=yz1234; Path=/; HttpOnly"),
            .init("A", "shown"),
        ]
        let secrets = Redaction.secrets(of: HTTPHeaders(fields: fields))
        let text = "abcdef ghijkl mnopqr stuvwx yz1234 shown Path HttpOnly Bearer"
        #expect(
            Redaction.hiding(secrets, in: text) == String(repeating: "‹secret› ", count: 5)
                + "shown Path HttpOnly Bearer"
        )
    }

    @Test
    func theLongBeginningOfASecretIsHiddenToo() {
        let secret = (0..<40).map { "part\($0)-" }.joined()
        #expect(Redaction.hiding([secret], in: "<\(secret.prefix(100))>") == "<‹secret›>")
        #expect(Redaction.hiding([secret], in: "<\(secret.prefix(20))>") == "<\(secret.prefix(20))>")
    }

    /// JSON Web Tokens begin alike.
    @Test
    func ofSecretsThatBeginAlikeTheWholeOneIsHidden() {
        let head = String(repeating: "eyJhbGciOiJIUzI1NiJ9", count: 5)
        let secrets = [head + "the longer of the two", head + "the other"]
        #expect(Redaction.hiding(secrets, in: "<\(secrets[1])> <\(secrets[0])>") == "<‹secret›> <‹secret›>")
    }

    /// It took time as text × secret: for this, hours.
    @Test
    func aTextThatRepeatsABeginningIsSearchedInItsLength() {
        let secret = String(repeating: "a", count: 100_000) + "b"
        let text = String(repeating: "a", count: 1_000_000) + "<end>"
        let hidden = Redaction.hiding([secret], in: text)
        #expect(hidden.hasPrefix("‹secret›‹secret›") && hidden.hasSuffix("<end>"))
    }
}
