import Foundation
import Testing

@testable import SimpleNetworkingCore

struct OriginTests {
    @Test(arguments: [
        ("https://h", "https://h"), ("https://h:443/x?y#z", "https://h"),
        ("HTTPS://API.Example.com/", "https://api.example.com"),
        ("http://h:80", "http://h"), ("http://h:443", "http://h:443"), ("https://h:8443", "https://h:8443"),
        ("http://[::1]:8080/x", "http://[::1]:8080"), ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
        ("https://user:password@h/", "https://h"), ("https://bücher.example", "https://xn--bcher-kva.example"),
    ])
    func anOriginIsSchemeHostAndPort(text: String, description: String) throws {
        let origin = try #require(Origin(text))
        #expect(origin.description == description)
        #expect(Origin(origin.description) == origin)
    }

    @Test(arguments: ["h", "/x", "ftp://h", "file:///x", "https://", "https:///x", "https://:80", "", "https://a b"])
    func originIsNilForNonHTTPURLs(text: String) { #expect(Origin(text) == nil) }

    @Test(arguments: [("https://h", "http://h"), ("https://h", "https://h:444"), ("https://h", "https://h.example")])
    func otherSchemesPortsAndHostsAreOtherOrigins(one: String, other: String) { #expect(Origin(one) != Origin(other)) }
}
