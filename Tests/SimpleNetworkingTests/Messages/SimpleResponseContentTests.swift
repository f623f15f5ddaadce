import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

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

    /// A word in an encoding, under some of the names that servers give it.
    @Test(
        arguments: [
            ("koi8-r, KOI8, cskoi8r", [0xF0, 0xD2, 0xC9], "При"), ("koi8-u, koi8-ru", [0xAE, 0xBE, 0xA4], "ўЎє"),
            ("windows-1251, cp1251, X-CP1251", [0xCF, 0xF0, 0xE8], "При"),
            ("ibm866, cp866, 866", [0x8F, 0xE0, 0xA8], "При"), ("x-mac-cyrillic", [0x8F, 0xDD, 0xE8], "ПЁи"),
            ("iso-8859-5, cyrillic", [0xBF, 0xE0, 0xD8], "При"), ("iso-8859-7, greek8, sun_eu_greek", [0xC1], "Α"),
            ("iso-8859-15, csisolatin9, l9", [0xA4, 0xBD], "€œ"), ("iso-8859-2, latin2, l2", [0xB3, 0xB6], "łś"),
            ("iso-8859-9, latin5, windows-1254, cp1254", [0xF0, 0xFE, 0x80], "ğş€"),
            ("iso-8859-1, latin1, ascii, us-ascii, l1, cp1252, x-cp1252", [0x93, 0xE9, 0x81, 0x80], "“é\u{81}€"),
            ("windows-1250", [0x8A], "Š"), ("windows-1253", [0xE1], "α"), ("windows-1255", [0xF9], "ש"),
            ("windows-1256", [0xD3], "س"), ("windows-1257", [0xF0], "š"), ("windows-1258", [0xD0], "Đ"),
            ("windows-874, tis-620, iso-8859-11, dos-874", [0xA1, 0x80], "ก€"),
            ("macintosh, mac, x-mac-roman", [0x8E, 0xDB], "é€"), ("iso-8859-8-i, logical, hebrew", [0xE0], "א"),
            ("gbk, gb2312, GB_2312-80, chinese, x-gbk", [0xC4, 0xE3, 0x80], "你€"),
            ("gb18030", [0x81, 0x30, 0x81, 0x30, 0xC4, 0xE3], "\u{80}你"),
            ("big5, big5-hkscs, cn-big5, x-x-big5", [0xA7, 0x41, 0x87, 0x40], "你䏰"),
            ("euc-kr, ks_c_5601-1987, windows-949, korean", [0xB3, 0xCA, 0x81, 0x41], "너갂"),
            ("shift_jis, sjis, ms_kanji, windows-31j, x-sjis", [0x82, 0xA0, 0xB1, 0x5C, 0x87, 0x40], "あｱ\\①"),
            ("euc-jp, x-euc-jp", [0x41, 0xA4, 0xA2, 0x8E, 0xB1, 0x8F, 0xB0, 0xA1, 0x0A], "Aあｱ丂\n"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42, 0x41], "あA"),
            ("utf-16le, utf-16, unicode, ucs-2", [0x41, 0, 0x42, 0x30], "Aあ"), ("utf-16be", [0, 0x41], "A"),
            ("utf-8, utf8, unicode-1-1-utf-8, x-unicode20utf8", [0xE3, 0x81, 0x82], "あ"),
            ("x-user-defined", [0x41, 0x80, 0xFF], "A\u{F780}\u{F7FF}"),
        ] as [(String, [UInt8], String)]
    )
    func textIsReadUnderEveryNameOfItsEncoding(labels: String, bytes: [UInt8], text: String) throws {
        for label in labels.components(separatedBy: ", ") {
            for type in ["text/plain; charset=\(label)", "text/plain;Charset=\" \(label.uppercased())\"; x=y"] {
                #expect(try response(Data(bytes), ["Content-Type": type]).text == text, "\(type)")
            }
        }
    }

    @Test(
        arguments: [
            ("euc-jp", [0xA4]), ("euc-jp", [0x8E, 0x41]), ("euc-jp", [0x8F, 0xA4]), ("euc-jp", [0xFF]),
            ("euc-jp", [0x1B]), ("gbk", [0x81]), ("shift_jis", [0x81]), ("euc-kr", [0x81]), ("big5", [0x81]),
            ("utf-16le", [0x41, 0, 0x42]), ("utf-16be", [0xD8, 0]), ("utf-8", [0xC0, 0x80]),
            ("iso-8859-6", [0xA1]), ("hz-gb-2312", [0x7E, 0x7B]), ("iso-2022-kr", [0x41]), ("replacement", [0x41]),
        ] as [(String, [UInt8])]
    )
    func textIsNilIfTheBytesDoNotFitTheCharset(label: String, bytes: [UInt8]) throws {
        #expect(try response(Data(bytes), ["Content-Type": "text/plain; charset=\(label)"]).text == nil)
    }

    @Test(arguments: [
        ["text/plain", "text/plain; charset=koi8-r"], ["text/plain; charset=koi8-r", "text/plain"],
        ["text/html; charset=gbk", "text/plain; charset=koi8-r"], ["text/plain; charset=koi8-r", "*/*"],
        ["text/plain; charset=koi8-r", "nonsense"], ["text/plain; x=\"a,b\"; charset=koi8-r"],
        ["text/html, text/plain; charset=koi8-r"], ["nonsense; charset=koi8-r"],
    ])
    func ofSeveralTypesTheLastValidOneCounts(types: [String]) throws {
        var headers = HTTPHeaders()
        for type in types { headers.append("Content-Type", type) }
        #expect(try response(Data([0xF0]), headers).text == "П")
    }

    @Test
    func jsonIsReadAsObjectArrayOrFragment() throws {
        #expect(try response(#"{"a":1}"#).json?["a"] as? Int == 1)
        #expect(try response("\u{FEFF}{\"a\":1}").json?["a"] as? Int == 1)
        #expect(try response("[1]").json == nil)
        #expect(try response("[1]").jsonArray as? [Int] == [1])
        #expect(try response("true").jsonObject as? Bool == true)
        #expect(try response("null").jsonObject is NSNull)
    }

    @Test(arguments: ["", " ", "{", "{}x", "<html>"])
    func jsonIsNilIfTheContentIsSomethingElse(text: String) throws {
        #expect(try response(text).json == nil)
        #expect(try response(text).jsonArray == nil)
        #expect(try response(text).jsonObject == nil)
    }

    @Test(arguments: [
        "[1,]", "[1 ,\n ]", "{\"a\":1,}", "{\"a\":[1,],\"b\":2}", "[\"]\",]", "[\"\\\"\",]", "[{\"a\":\",}\"},]",
    ])
    func aTrailingCommaIsNoJSON(text: String) throws {
        struct Anything: Decodable {}
        let response = try response(text)
        #expect(response.jsonObject == nil && response.json == nil && response.jsonArray == nil)
        for decoder in [nil, JSONDecoder(), JSONDecoder.standard] {
            let error = #expect(throws: SimpleNetworkingError.self) {
                try response.decode(Anything.self, using: decoder)
            }
            #expect("\(error as Any)".contains("comma"), "\(error as Any)")
        }
        let lenient = JSONDecoder()
        lenient.allowsJSON5 = true
        #expect(throws: Never.self) { try response.decode(Anything.self, using: lenient) }
    }

    @Test(arguments: [
        ("[\",]\"]", ",]"), ("[\", }\", 1]", ", }"), ("[\"\\\",]\"]", "\",]"), ("[\"\\\\\",\",]\"]", "\\"),
    ])
    func aCommaBeforeABracketInAStringIsJSON(text: String, first: String) throws {
        #expect(try response(text).jsonArray?.first as? String == first)
        #expect(
            try response("{\"list\": \(text), \"n\": [1, 2]}").decode([String: [Element]].self)["list"]?.count ?? 0 > 0
        )
    }

    private struct Element: Decodable {}

    @Test
    func contentIsDecoded() throws { #expect(try response("[1,2]").decode([Int].self) == [1, 2]) }

    @Test
    func aDecodingFailureNamesTypeAndPlace() throws {
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
