import Foundation
import SimpleNetworkingCore

/// One case of http-tests/cache-tests: requests in a row, what the server does with each, and what must come of it.
struct CacheCase: Decodable, Sendable {
    struct Suite: Decodable {
        let tests: [CacheCase]
    }

    enum Kind: String, Decodable, Sendable { case required, optimal, check }

    let id: String
    /// `required` if there is none.
    let kind: Kind?
    /// The cases without which this one means nothing.
    let dependsOn: [String]?
    let browserSkip: Bool?
    let cdnOnly: Bool?
    let requests: [Request]

    /// Whether it is for a cache within a client, as browsers have.
    var isForClients: Bool { browserSkip != true && cdnOnly != true }
}

extension CacheCase {
    /// One request; the names are those of the corpus.
    struct Request: Decodable, Sendable {
        enum End: String, Decodable, Sendable {
            case cached
            case fetched = "not_cached"
            case validatedByTag = "etag_validated"
            case validatedByDate = "lm_validated"

            /// The field of the request that makes it conditional.
            var condition: String? {
                switch self {
                case .cached, .fetched: nil
                case .validatedByTag: "If-None-Match"
                case .validatedByDate: "If-Modified-Since"
                }
            }
        }

        struct Status: Decodable, Sendable {
            let code: Int

            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                code = try values.decode(Int.self)
            }
        }

        let requestMethod: String?
        let requestHeaders: [Field]?
        let requestBody: String?
        let queryArg: String?
        let filename: String?
        let cache: String?
        let redirect: String?
        let pauseAfter: Bool?
        let disconnect: Bool?
        let magicLocations: Bool?
        let magicIms: Bool?
        let rfc850date: [String]?
        let responseStatus: Status?
        let responseHeaders: [Field]?
        let responseBody: String?
        let responsePause: Int?
        let checkBody: Bool?
        let expectedType: End?
        let expectedMethod: String?
        let expectedStatus: Int?
        let expectedRequestHeaders: [Check]?
        let expectedRequestHeadersMissing: [Check]?
        let expectedResponseHeaders: [Check]?
        let expectedResponseHeadersMissing: [Check]?
        let expectedResponseText: String?
        let expectedInterimResponses: [Status]?
    }

    struct Field: Decodable, Sendable {
        /// A text, or an offset from now in seconds.
        enum Value: Sendable {
            case text(String)
            case number(Int)
        }

        let name: String
        let value: Value
        /// Whether the client must receive it as it was sent.
        let isExpected: Bool

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            name = try values.decode(String.self)
            value = try (try? values.decode(Int.self)).map(Value.number) ?? .text(values.decode(String.self))
            isExpected = try values.isAtEnd || values.decode(Bool.self)
        }
    }

    /// A condition for a header field.
    enum Check: Decodable, Sendable {
        case present(String)
        case value(Field)
        case same(String, as: String)
        case above(String, Int)

        init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                self = .present(name)
                return
            }
            var values = try decoder.unkeyedContainer()
            guard values.count == 3 else {
                self = .value(try Field(from: decoder))
                return
            }
            let (name, sign) = (try values.decode(String.self), try values.decode(String.self))
            self =
                sign == "="
                ? .same(name, as: try values.decode(String.self)) : .above(name, try values.decode(Int.self))
        }
    }
}
