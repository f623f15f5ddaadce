import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// The exchanges of a cassette in the format that browsers and proxies write: HTTP Archive 1.2 (HAR).
///
/// Tools differ in what they omit, so little is required.
struct HTTPArchive: Codable {
    struct Pair: Codable {
        var name: String
        var value: String
    }

    struct Body: Codable {
        var mimeType: String?
        var text: String?
        /// `base64` for content that isn't text.
        var encoding: String?
        var size: Int?
        /// The fields of a form, which some tools write instead of its text.
        var params: [Pair]?
    }

    struct Request: Codable {
        var method: String
        var url: String
        var httpVersion: String? = "HTTP/1.1"
        var cookies: CookieList? = CookieList()
        var headers: [Pair]?
        var queryString: [Pair]? = []
        var postData: Body?
        var headersSize: Int? = -1
        var bodySize: Int? = -1
    }

    struct Response: Codable {
        var status: Int?
        var statusText: String? = ""
        var httpVersion: String? = "HTTP/1.1"
        var cookies: CookieList? = CookieList()
        var headers: [Pair]?
        var content: Body?
        var redirectURL: String? = ""
        var headersSize: Int? = -1
        var bodySize: Int? = -1
        /// The trailer fields, in a field specific to this library.
        var trailers: [Pair]?

        enum CodingKeys: String, CodingKey {
            case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
            case trailers = "_simpleNetworkingTrailers"
        }
    }

    /// The cookies that a tool lists apart from the fields; none if it writes them in another form.
    struct CookieList: Codable {
        struct Cookie: Codable {
            var name: String
            var value: String
            var path: String?
            var domain: String?
            var expires: String?
            var httpOnly: Bool?
            var secure: Bool?
        }

        var cookies: [Cookie] = []

        init() {}

        init(from decoder: any Decoder) throws { cookies = (try? [Cookie](from: decoder)) ?? [] }

        func encode(to encoder: any Encoder) throws { try cookies.encode(to: encoder) }
    }

    /// An interim response, in a form specific to this library.
    struct Interim: Codable {
        var status: Int
        var headers: [Pair]
    }

    struct Timings: Codable {
        var send = 0.0
        var wait = 0.0
        var receive = 0.0
    }

    struct Entry: Codable {
        // With real times, each recording would differ.
        var startedDateTime = "1970-01-01T00:00:00.000Z"
        var time = 0.0
        var request: Request
        var response: Response?
        var cache: [String: String]? = [:]
        var timings: Timings? = Timings()
        /// The interim responses, in a field specific to this library.
        var interims: [Interim]?
        /// The reason why there was no complete response, in a field specific to this library.
        var failure: Pair?
        /// Whether another request was in flight, in a field specific to this library, instead of times.
        var isConcurrent: Bool?

        init(request: Request, response: Response) {
            self.request = request
            self.response = response
        }

        enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings
            case interims = "_simpleNetworkingInterim"
            case failure = "_simpleNetworkingFailure"
            case isConcurrent = "_simpleNetworkingConcurrent"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            request = try values.decode(Request.self, forKey: .request)
            response = try values.decodeIfPresent(Response.self, forKey: .response)
            interims = try values.decodeIfPresent([Interim].self, forKey: .interims)
            failure = try values.decodeIfPresent(Pair.self, forKey: .failure)
            isConcurrent = try values.decodeIfPresent(Bool.self, forKey: .isConcurrent)
            startedDateTime = (try? values.decode(String.self, forKey: .startedDateTime)) ?? ""
            time = (try? values.decode(Double.self, forKey: .time)) ?? 0
        }

        /// When the exchange began; nil if the file doesn't specify it.
        var start: Date? { InternetDate.date(startedDateTime) }
    }

    struct Creator: Codable {
        var name: String?
        var version: String?

        static let ownName = "SimpleNetworking"
    }

    struct Log: Codable {
        var version: String? = "1.2"
        var creator: Creator?
        var entries: [Entry]
    }

    var log: Log

    /// Whether this library wrote the archive.
    var isOwn: Bool { log.creator?.name == Creator.ownName }

    /// Whether the exchanges were recorded above redirects, cookies and the cache, as version 1 of this library did.
    var isAboveRedirects: Bool { isOwn && log.creator?.version == "1" }
}

extension HTTPArchive.Pair {
    /// Reads a pair, whose value may be missing: a form's file has none.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        value = (try? values.decode(String.self, forKey: .value)) ?? ""
    }
}
