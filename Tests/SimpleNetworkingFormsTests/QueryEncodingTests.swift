import Foundation
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingForms

/// Queries and forms from values, as servers expect them.
@Suite(.timeLimit(.minutes(1)))
struct QueryEncodingTests {
    private struct Person: Encodable {
        var name = "Ada"
        var nickname: String?
        var tags = ["a", "b"]
        var address = Address()
        var isActive = true
        var levels = [[1, 2], [3]]
    }

    private struct Address: Encodable {
        var city = "London"
        var lines = [Line(number: 1), Line(number: 2)]
    }

    private struct Line: Encodable {
        var number: Int
    }

    private static func pairs(
        _ value: some Encodable,
        _ configure: (inout Query.Encoding) -> Void = { _ in }
    ) throws -> [String] {
        try Query(encoding: value, configure: configure).pairs.map { "\($0.name)=\($0.value)" }
    }

    @Test
    func byDefaultArraysRepeatTheirNameAndPropertiesStandInBrackets() throws {
        #expect(
            try Self.pairs(Person()) == [
                "name=Ada", "tags=a", "tags=b", "address[city]=London", "address[lines][number]=1",
                "address[lines][number]=2", "isActive=true", "levels=1", "levels=2", "levels=3",
            ]
        )
    }

    @Test
    func arraysInBracketsAndKeysWithDots() throws {
        let pairs = try Self.pairs(Person()) {
            $0.arrays = .brackets
            $0.keys = .dots
            $0.booleans = .numbers
            $0.nils = .null
        }
        #expect(
            pairs == [
                "name=Ada", "nickname=null", "tags[]=a", "tags[]=b", "address.city=London", "address.lines[].number=1",
                "address.lines[].number=2", "isActive=1", "levels[][]=1", "levels[][]=2", "levels[][]=3",
            ]
        )
    }

    @Test
    func arraysWithIndices() throws {
        let pairs = try Self.pairs(Person()) {
            $0.arrays = .indices
            $0.nils = .empty
        }
        #expect(
            pairs == [
                "name=Ada", "nickname=", "tags[0]=a", "tags[1]=b", "address[city]=London",
                "address[lines][0][number]=1", "address[lines][1][number]=2", "isActive=true", "levels[0][0]=1",
                "levels[0][1]=2", "levels[1][0]=3",
            ]
        )
    }

    @Test
    func datesAreWrittenInEveryWay() throws {
        struct Event: Encodable {
            let at = Date(timeIntervalSince1970: 978_307_200.5)
        }
        let ways: [(Query.Encoding.Dates, String)] = [
            (.iso8601, "2001-01-01T00:00:00.500Z"), (.seconds, "978307200.5"), (.milliseconds, "978307200500"),
            (.deferred, "0.5"), (.custom { "\($0.timeIntervalSince1970) s" }, "978307200.5 s"),
        ]
        for (way, text) in ways { #expect(try Self.pairs(Event()) { $0.dates = way } == ["at=\(text)"]) }
    }

    @Test
    func scalarsOfEveryKind() throws {
        struct Scalars: Encodable {
            enum Color: String, Encodable { case red }
            let int = -1
            let big = UInt64.max
            let double = 1.5
            let decimal = Decimal(2)
            let data = Data("hi".utf8)
            let url = URL(fileURLWithPath: "/a b")
            let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
            let color = Color.red
            let text = "a&b=c d+é"
        }
        #expect(
            try Self.pairs(Scalars()) == [
                "int=-1", "big=18446744073709551615", "double=1.5", "decimal=2", "data=aGk=", "url=file:///a%20b",
                "id=00000000-0000-0000-0000-000000000001", "color=red", "text=a&b=c d+é",
            ]
        )
    }

    @Test
    func aRelativeURLIsWrittenWhole() throws {
        struct Link: Encodable {
            let url: URL
        }
        let base = try #require(URL(string: "https://example.com/a/"))
        let url = try #require(URL(string: "b", relativeTo: base))
        #expect(try Self.pairs(Link(url: url)) == ["url=https://example.com/a/b"])
    }

    @Test
    func aDictionaryIsSortedByName() throws {
        #expect(try Self.pairs(["b": 2, "a": 1, "c": 3]) == ["a=1", "b=2", "c=3"])
        #expect(try Self.pairs(["b": ["y": 2], "a": ["x": 1]]) == ["a[x]=1", "b[y]=2"])
    }

    @Test
    func aSuperclassAndOwnContainersAreEncoded() throws {
        class Base: Encodable {
            let base = 1
        }
        final class Derived: Base {
            private enum Keys: String, CodingKey { case own, nested, list }
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(2, forKey: .own)
                var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .nested)
                try nested.encode("x", forKey: .own)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try list.encode(3)
                try list.encodeNil()
                try list.encode(4)
            }
        }
        let pairs = try Self.pairs(Derived()) {
            $0.arrays = .indices
            $0.nils = .null
        }
        #expect(pairs == ["base=1", "own=2", "nested[own]=x", "list[0]=3", "list[1]=null", "list[2]=4"])
    }

    @Test
    func aValueWithoutNamesIsRefused() {
        #expect(throws: EncodingError.self) { try Query(encoding: 7) }
        #expect(throws: EncodingError.self) { try Query(encoding: ["a"]) }
        #expect(throws: EncodingError.self) { try Query(encoding: true) }
    }

    @Test
    func aFormIsSentEncoded() async throws {
        let form = try Query(encoding: Person()) { $0.arrays = .brackets }
        #expect(form.formEncoded.hasPrefix("name=Ada&tags%5B%5D=a&tags%5B%5D=b&address%5Bcity%5D=London"))
    }
}
