import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

struct RedactionTests {
    @Test(arguments: [
        "Authorization", "proxy-authorization", "COOKIE", "Set-Cookie", "X-Authorization", "X-Api-Key", "X-Auth-Key",
        "X-Auth",
        "X-CSRF-Token", "Ocp-Apim-Subscription-Key", "X-Amz-Security-Token", "My-Secret", "X-Session-Id",
        "access_token",
    ])
    func fieldsThatCarryCredentialsAreSecret(name: String) {
        #expect(Redaction.isCredential(field: name) && Redaction.isSecret(field: name))
    }

    @Test(arguments: [
        "Accept", "Content-Type", "User-Agent", "ETag", "WWW-Authenticate", "Idempotency-Key", "X-Request-Id", "Author",
        "Cookies-Policy", "", "toke",
    ])
    func otherFieldsAreNot(name: String) {
        #expect(!Redaction.isCredential(field: name) && !Redaction.isSecret(field: name))
    }

    /// The parameters of OAuth 2 (RFC 6749, 7523, 7636, 8628) and OpenID Connect that are secret.
    @Test(arguments: [
        "code", "code_verifier", "access_token", "refresh_token", "id_token", "id_token_hint", "token", "client_secret",
        "client_assertion", "assertion", "password", "device_code", "user_code",
    ])
    func secretOAuthParametersAreHidden(name: String) {
        #expect(Redaction.text(ofQuery: "\(name)=1&q=2") == "\(name)=‹secret›&q=2")
    }

    @Test(arguments: ["grant_type", "client_id", "redirect_uri", "scope", "code_challenge_method", "username"])
    func otherOAuthParametersAreShown(name: String) {
        #expect(Redaction.text(ofQuery: "\(name)=1") == "\(name)=1")
    }

    @Test(arguments: [
        ("https://h/x", "https://h/x"), ("https://h/x?a=1&b", "https://h/x?a=1&b"),
        ("https://h/x#token=1", "https://h/x"),
        ("https://u:p@h/x@y", "https://‹secret›@h/x@y"), ("https://u@h?x=@", "https://‹secret›@h?x=@"),
        ("https://u:p@q@h", "https://‹secret›@h"),
        ("https://h/x?access_token=1&q=2", "https://h/x?access_token=‹secret›&q=2"),
        ("https://h/x?ACCESS_TOKEN=1", "https://h/x?ACCESS_TOKEN=‹secret›"),
        ("https://h?code=1&Key=2", "https://h?code=‹secret›&Key=‹secret›"),
        ("https://h?postcode=1&keys=2", "https://h?postcode=1&keys=2"),
        ("https://h?to%6ben=1", "https://h?to%6ben=‹secret›"),
        ("https://h?token=a=b", "https://h?token=‹secret›"), ("https://h?token", "https://h?token"),
        ("/x?token=1", "/x?token=‹secret›"),
        ("//ada:pw@h/x", "//‹secret›@h/x"), ("//h/x", "//h/x"),
        ("//a:b@h?u=https://c:d@e", "//‹secret›@h?u=https://‹secret›@e"),
        ("/x?u=https://c:d@e&v=a@b", "/x?u=https://‹secret›@e&v=a@b"),
        ("/x?token=1&u=https://h", "/x?token=‹secret›&u=https://h"),
        ("https://h/a;jsessionid=1/b;v=2?q=3", "https://h/a;jsessionid=‹secret›/b;v=2?q=3"),
        ("https://h/reset/eyJhbGciOiJIUzI1NiJ9.e30.abc/now", "https://h/reset/‹secret›/now"),
        ("https://h/eyJ.b.c", "https://h/eyJ.b.c"),
        ("https://u:p@\u{301}h/", "https://‹secret›@\u{301}h/"),
        ("https://h/?\u{301}&token=1", "https://h/?\u{301}&token=‹secret›"),
        ("https://h/?a=1&\u{301}token=2", "https://h/?a=1&\u{301}token=‹secret›"),
        ("https://h/a;\u{301}jsessionid=1", "https://h/a;\u{301}jsessionid=‹secret›"),
        ("", ""), ("?", "?"), ("://@?", "://‹secret›@?"),
    ])
    func urlsAreShownWithoutSecrets(url: String, text: String) {
        #expect(Array(Redaction.text(ofURL: url).utf8) == Array(text.utf8))
    }

    /// What was meant to be a URL, as it may stand in an error or a trace.
    @Test(arguments: [
        ("//u:s3cret@h/x", "//‹secret›@h/x"), ("htps://u:s3cret@h", "htps://‹secret›@h"),
        ("http:/u:s3cret@h", "http:/‹secret›@h"), ("http:u:s3cret@h", "http:‹secret›@h"),
        ("http//u:s3cret@h", "http//‹secret›@h"), ("https;//u:s3cret@h", "https;//‹secret›@h"),
        ("https ://u:s3cret@h", "https ://‹secret›@h"), (" https://u:s3cret@h", " https://‹secret›@h"),
        ("///u:s3cret@h", "///‹secret›@h"), ("https:///u:s3cret@h", "https:///‹secret›@h"),
        ("u:s3cret@h/x", "‹secret›@h/x"), ("u:s3cret@h:80", "‹secret›@h:80"), (":s3cret@h", "‹secret›@h"),
        ("https:\\u:s3cret@h", "https:\\‹secret›@h"), ("\\\\u:s3cret@h", "\\\\‹secret›@h"),
        ("/proxy/https://u:s3cret@h/", "/proxy/https://‹secret›@h/"), ("//s3cret@h/x", "//‹secret›@h/x"),
        ("https://u:s3/cr#et?s3@h/x", "https://‹secret›@h/x"), ("https://u:s3cret#@h", "https://‹secret›@h"),
        ("https://[::1]:80/@x", "https://[::1]:80/@x"), ("https://h:80/@x", "https://h:80/@x"),
        ("/users/@me", "/users/@me"), ("users/@me", "users/@me"), ("/u:s3cret@h", "/‹secret›@h"),
        ("https://h/u:s3cret@h/x", "https://h/‹secret›@h/x"),
        ("https://h/http:u:s3cret@h", "https://h/http:‹secret›@h"), ("https://u:s3cret", "https://u:‹secret›"),
        ("/@ada:h", "/@ada:h"), ("https://h:80", "https://h:80"), ("https://h:", "https://h:"), ("@a/b", "@a/b"),
        ("mailto:ada@h", "mailto:ada@h"), ("ada@h", "ada@h"), ("/at/10:30/ada@h", "/at/10:30/ada@h"),
        ("a://b", "a://b"), ("@https://h:x", "@https://h:‹secret›"), ("@//h:x", "@//h:x"),
    ])
    func userInfoIsHiddenWithoutAScheme(url: String, text: String) {
        #expect(Redaction.text(ofURL: url) == text)
        #expect(!text.contains("s3"))
    }

    @Test(arguments: [
        "https://h/a;jsessionid=s3cret", "https://ada:s3cret@h/", "https://h/?token=s3cret", "https://h/#s3cret",
        "https://h/eyJhbGciOiJIUzI1NiJ9.e30.s3cret",
    ])
    func noPartOfAURLIsTakenForHarmless(url: String) throws {
        #expect(!Redaction.text(of: try #require(URL(string: url))).contains("s3cret"))
    }
}
