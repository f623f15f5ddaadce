import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Which names make a value a secret, and where a value ends.
struct RedactionNameTests {
    @Test(arguments: [
        "pin", "PIN", "userPin", "pin_code", "otp", "otp-code", "totp", "privateKey", "private_key", "private-key",
        "cookie",
        "passcode", "newPasscode", "bearer", "authentication",
    ])
    func itIsHiddenInJSONFormsURLsAndMarkup(name: String) {
        func shown(_ text: String, _ type: MediaType) -> String {
            Redaction.text(ofContent: Data(text.utf8), type: type, limit: 4096)
        }
        #expect(shown(#"{"\#(name)":"s3cret"}"#, .json) == #"{"\#(name)":"‹secret›"}"#)
        #expect(shown(#"{"\#(name)":123456}"#, .json) == #"{"\#(name)":"‹secret›"}"#)
        #expect(shown("\(name)=s3cret&x=1", .form) == "\(name)=‹secret›&x=1")
        #expect(Redaction.text(ofURL: "/x?\(name)=s3cret") == "/x?\(name)=‹secret›")
        #expect(shown(#"<a \#(name)="s3cret x" b="c"/>"#, "text/xml") == #"<a \#(name)="‹secret›" b="c"/>"#)
        #expect(shown("<\(name)>s3cret x</\(name)>", "text/xml") == "<\(name)>‹secret›</\(name)>")
    }

    @Test(arguments: [
        "shopping", "opinion", "spin", "pinned", "topic", "laptop", "keys", "monkey", "public_key_id", "expiration",
        "optional", "author", "authenticated_at",
    ])
    func itIsShown(name: String) {
        #expect(Redaction.text(ofQuery: "\(name)=1") == "\(name)=1")
    }

    @Test(arguments: ["X-OTP", "X-Pin", "X-Functions-Key", "X-App-Key", "X-Master-Key", "X-Bearer", "Authentication"])
    func fieldIsHiddenButMayBeShared(name: String) {
        #expect(Redaction.isSecret(field: name) && !Redaction.isCredential(field: name))
        let field = HTTPHeaders.Field(name, "s3cret")
        #expect(!CrossOriginFields().isShared(field) && CrossOriginFields(sharedNames: [name]).isShared(field))
    }

    @Test(arguments: [
        (#"<a token="s3cret"/>"#, #"<a token="‹secret›"/>"#),
        (#"<a token='s3 cr"et'>b</a>"#, #"<a token='‹secret›'>b</a>"#),
        (#"<a key = "s3cret" id="1">"#, #"<a key = "‹secret›" id="1">"#),
        (#"<a ns:token="s3cret"/>"#, #"<a ns:token="‹secret›"/>"#),
        (#"<token type="x">s3cret</token><b>c</b>"#, #"<token type="x">‹secret›</token><b>c</b>"#),
        ("<token><![CDATA[s3cret]]></token>b", "<token>‹secret›</token>b"),
        ("<ns:token>s3cret</ns:token>", "<ns:token>‹secret›</ns:token>"),
        ("<password>s3 cret, too</password>", "<password>‹secret›</password>"),
        ("<token><v>s3cret</v></token>", "<token>‹secret›</token>"), ("<token/>a<b>c</b>", "<token/>a<b>c</b>"),
        ("<token></token>a", "<token></token>a"), ("<token>s3cret", "<token>‹secret›"),
        (#"token: "s3\"cret" x"#, #"token: "‹secret›" x"#),
        (#"{"token":"s3\"cret","a":1"#, #"{"token":"‹secret›","a":1"#),
        ("password='s3 cret' x", "password='‹secret›' x"), ("pin 1=2", "pin 1=2"), ("token=", "token="),
        ("a token=s3cret", "a token=‹secret›"), ("my key=s3cret", "my key=‹secret›"),
        ("Cookie: a=s3cret; b=s3cret\nX: y", "Cookie: ‹secret›\nX: y"),
    ])
    func aValueIsHiddenToItsEnd(text: String, shown: String) {
        #expect(Redaction.text(ofPlain: text) == shown)
        #expect(!shown.contains("s3"))
    }
}
