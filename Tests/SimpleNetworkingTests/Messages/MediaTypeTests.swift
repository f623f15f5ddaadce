import Foundation
import Testing

@testable import SimpleNetworking

struct MediaTypeTests {
    @Test(
        arguments: [
            (#"text/html;charset="utf-8""#, "utf-8"), (#"text/html; charset="\u\t\f-8""#, "utf-8"),
            (#"text/html;CHARSET=utf-8;charset=other"#, "utf-8"), (#"text/html;x="a;charset=no";charset=yes"#, "yes"),
            (#"text/html;x="a\";charset=no";charset=yes"#, "yes"), (#"text/html;charset="utf-8"#, "utf-8"),
            (#"text/html;charset ="utf-8""#, nil), (#"text/html;charset="#, nil), (#"text/html;charset="""#, ""),
            (#"text/html"#, nil), ("text/html;charset=a b ;x", "a b"), ("; charset=x", "x"),
        ] as [(String, String?)]
    )
    func aParameterIsReadWithoutQuotesAndEscapes(type: String, charset: String?) {
        #expect(MediaType(type).parameter("Charset") == charset)
    }

    @Test(arguments: [
        ("Text/HTML ; charset=x", "text/html"), ("a/b", "a/b"), ("", ""), ("json", "json"), (" a/b\t;", "a/b"),
    ])
    func theEssenceIsTheTypeAlone(type: String, essence: String) { #expect(MediaType(type).essence == essence) }

    @Test(arguments: [
        ("a, b", true, ["a", " b"]), (#"a="b,c",d"#, true, [#"a="b,c""#, "d"]),
        (#"a="b\",c",d"#, true, [#"a="b\",c""#, "d"]),
        (#"a,b="c,d"#, true, ["a", #"b="c,d"#]), (#"a,b="c,d"#, false, ["a", #"b="c"#, "d"]), ("", true, [""]),
        (#"a="b\",c"#, false, [#"a="b\""#, "c"]), (#"a="b,c",d="e,f"#, false, [#"a="b,c""#, #"d="e"#, "f"]),
    ])
    func aListIsTakenApartOutsideQuotes(text: String, hidesRest: Bool, members: [String]) {
        #expect(text.listMembers(hidingBehindUnclosedQuotes: hidesRest).map(String.init) == members)
    }

    @Test(.timeLimit(.minutes(1)))
    func hugeFieldsAreReadInTime() {
        let escapes = String(repeating: #"\""#, count: 50_000)
        for hidesRest in [true, false] {
            #expect(("\"" + escapes).listMembers(hidingBehindUnclosedQuotes: hidesRest).count == 1)
        }
        let parameters = (0..<50_000).map { ";a\($0)=1" }.joined()
        #expect(MediaType("a/b" + parameters).parameter("a49999") == "1")
    }
}

/// What browsers make of media types, by the web platform's own tests.
@Suite(.enabled(if: Corpus.isPresent, .init(rawValue: Corpus.missing)))
struct MediaTypeCorpusTests {
    private struct Row: Decodable {
        let input: String
        let output: String?
        let encoding: String?
        /// Whether the row says what encoding it means.
        let isAboutEncoding: Bool

        private enum Key: CodingKey { case input, output, encoding }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            input = try container.decode(String.self, forKey: .input)
            output = try container.decodeIfPresent(String.self, forKey: .output)
            encoding = try container.decodeIfPresent(String.self, forKey: .encoding)
            isAboutEncoding = container.contains(.encoding)
        }
    }

    /// Headings stand between the rows.
    private struct Line: Decodable {
        let row: Row?

        init(from decoder: any Decoder) throws {
            row = (try? decoder.singleValueContainer().decode(String.self)) == nil ? try Row(from: decoder) : nil
        }
    }

    private struct Field: Decodable {
        let input: [String]
        let encoding: String?
        let essence: String
    }

    @Test
    func everyMediaTypeIsReadAsBrowsersDo() throws {
        let rows = try Corpus.json("media-types/mime-types.json", as: [Line].self).compactMap(\.row)
        #expect(rows.count == 74)
        for row in rows {
            let parts = MediaTypeParts(row.input)
            #expect((parts.isValid ? Self.text(of: parts) : nil) == row.output, "\(row.input)")
            guard row.isAboutEncoding else { continue }
            let label = MediaType(row.input).parameter("charset")
            #expect(label.flatMap { TextEncoding(label: $0)?.name } == row.encoding, "\(row.input)")
        }
    }

    @Test
    func everySetOfFieldsIsReadAsBrowsersDo() throws {
        let rows = try Corpus.json("media-types/wpt-content-types.json", as: [Field].self)
        #expect(rows.count == 16)
        for row in rows {
            for isJoined in [false, true] {
                var headers = HTTPHeaders()
                for value in isJoined ? [row.input.joined(separator: ", ")] : row.input {
                    headers.append("Content-Type", value)
                }
                let type = try #require(headers.contentType)
                #expect(type.essence == row.essence, "\(row.input)")
                let label = type.parameter("charset")
                #expect(label.flatMap { TextEncoding(label: $0)?.name } == row.encoding, "\(row.input)")
            }
        }
    }

    /// Writes a media type as the standard does (WHATWG MIME Sniffing §4.5).
    private static func text(of parts: MediaTypeParts) -> String {
        parts.parameters.reduce(parts.essence) { text, parameter in
            let (name, value) = parameter
            let escaped = value.replacingOccurrences(of: "\\", with: "\\\\")
                .replacingOccurrences(of: "\"", with: "\\\"")
            return text + ";" + name + "=" + (value.isToken ? value : "\"\(escaped)\"")
        }
    }
}
