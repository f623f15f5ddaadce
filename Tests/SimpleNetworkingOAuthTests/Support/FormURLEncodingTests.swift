import Testing

@testable import SimpleNetworkingOAuth

struct FormURLEncodingTests {
    @Test(arguments: [
        ("a=1&b=2", "1"), ("b=2&a=1", "1"), ("a=x+y", "x y"), ("a=x%20y", "x y"), ("a=%2B", "+"), ("%61=1", "1"),
        ("a=b=c", "b=c"), ("a=1&a=2", "1"), ("a=%zz", "%zz"), ("&&a=1&", "1"), ("a=%C3%A9", "é"),
    ])
    func aValueIsFoundByName(text: String, value: String) { #expect(FormURLEncoding(text)["a"] == value) }

    @Test(arguments: ["", "a", "a=", "b=1", "=", "A=1"])
    func aValueThatIsNotThereIsNil(text: String) { #expect(FormURLEncoding(text)["a"] == nil) }

    @Test(arguments: [
        ("a b", "a%20b"), ("a+b", "a%2Bb"), ("a:b", "a%3Ab"), ("é", "%C3%A9"), ("a-b_c.d", "a-b_c.d"), ("~", "%7E"),
        ("%", "%25"),
    ])
    func textsAreFormEncoded(text: String, encoded: String) { #expect(FormURLEncoding.formEncode(text) == encoded) }
}
