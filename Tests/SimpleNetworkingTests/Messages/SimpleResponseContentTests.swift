import Testing

@testable import SimpleNetworking

struct SimpleResponseContentTests {
    @Test(
        arguments: [
            ([0xC3, 0xA9], nil, "é"), ([0xC3, 0xA9], "text/plain", "é"),
            ([0xE9], "text/plain; charset=ISO-8859-1", "é"),
            ([0xE9], "text/plain;charset=\"iso-8859-1\"; x=y", "é"), ([0x80], "text/plain; charset=windows-1252", "€"),
            ([0xE9], nil, nil), ([0xC3, 0xA9], "text/plain; charset=unheard-of", "é"), ([], nil, ""),
            ([0xEF, 0xBB, 0xBF, 0x41], nil, "A"), ([0xEF, 0xBB, 0xBF, 0x41], "text/plain; charset=iso-8859-1", "A"),
            ([0xFF, 0xFE, 0x41, 0], nil, "A"), ([0xFE, 0xFF, 0, 0x41], "text/plain; charset=utf-16", "A"),
            ([0x41, 0], "text/plain; charset=UTF-16LE", "A"), ([0xEF, 0xBB, 0xBF], nil, ""),
        ] as [([UInt8], String?, String?)]
    )
    func textIsReadInItsCharset(bytes: [UInt8], type: String?, text: String?) throws {
        var headers = HTTPHeaders()
        headers["content-type"] = type
        #expect(try response(Data(bytes), headers).text == text)
    }

    @Test
    func jsonIsWhatItIs() throws {
        #expect(try response(#"{"a":1}"#).json?["a"] as? Int == 1)
        #expect(try response("\u{FEFF}{\"a\":1}").json?["a"] as? Int == 1)
        #expect(try response("[1]").json == nil)
        #expect(try response("[1]").jsonArray as? [Int] == [1])
        #expect(try response("true").jsonObject as? Bool == true)
        #expect(try response("null").jsonObject is NSNull)
    }

    @Test(arguments: ["", " ", "{", "{}x", "<html>"])
    func whatIsNoJSONIsNil(text: String) throws {
        #expect(try response(text).json == nil)
        #expect(try response(text).jsonArray == nil)
        #expect(try response(text).jsonObject == nil)
    }

    @Test
    func contentIsDecoded() throws { #expect(try response("[1,2]").decode([Int].self) == [1, 2]) }

    @Test
    func whatDoesNotDecodeNamesTypeAndPlace() throws {
        struct User: Decodable { var tags: [String] }
        let response = try response(#"{"tags":["a",2]}"#)
        let error = #expect(throws: SimpleNetworkingError.self) { try response.decode(User.self) }
        guard case .decoding(let failure, let kept)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.type == "User")
        #expect(failure.codingPath == "tags.1")
        #expect(kept.data == response.data)
    }

    private func response(_ text: String) throws -> SimpleResponse { try response(Data(text.utf8)) }

    private func response(_ data: Data, _ headers: HTTPHeaders = [:]) throws -> SimpleResponse {
        SimpleResponse(request: RequestHead(url: try #require(URL(string: "https://h/"))), headers: headers, data: data)
    }
}
