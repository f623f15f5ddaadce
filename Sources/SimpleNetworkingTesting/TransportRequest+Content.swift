import Foundation
import SimpleNetworkingCore

/// Reads the content of a recorded request.
extension TransportRequest {
    /// The body's bytes.
    ///
    /// The value is empty if there is no body, or if the body is a file or a stream that can no longer be read. It is also
    /// empty for the `BodyChunks` of a request that no stub has received.
    public var content: Data {
        switch body {
        case .none: return Data()
        case .data(let data): return data
        case .file(let url): return (try? Data(contentsOf: url)) ?? Data()
        case .stream(_, let make): return make().flatMap(Data.init(reading:)) ?? Data()
        // Otherwise, a stub has read the content and recorded its bytes.
        case .chunks(_, let chunks): return chunks.wholeContent ?? Data()
        }
    }

    /// The body as UTF-8 text, or nil if the body isn't valid UTF-8.
    public var text: String? { String(data: content, encoding: .utf8) }

    /// The body as a JSON object, or nil if the body isn't a JSON object.
    public var json: [String: Any]? { jsonObject as? [String: Any] }

    /// The body as a JSON array, or nil if the body isn't a JSON array.
    public var jsonArray: [Any]? { jsonObject as? [Any] }

    /// The body as any JSON value, or nil if the body isn't JSON.
    public var jsonObject: Any? {
        content.isEmpty ? nil : try? JSONSerialization.jsonObject(with: content, options: .fragmentsAllowed)
    }

    /// The query's decoded pairs of names and values, as in `request.query.value(of: "page")`.
    public var query: Query { Query(urlEncoded: url.absoluteString.queryPart) }

    /// The decoded fields of a form (`application/x-www-form-urlencoded`), or nil for another `Content-Type`.
    public var form: Query? {
        guard contentType?.isOf("application/x-www-form-urlencoded") == true else { return nil }
        return Query(urlEncoded: String(decoding: content, as: UTF8.self))
    }

    /// The parts of a `multipart/form-data` body, in order (RFC 7578).
    ///
    /// This property is nil for another `Content-Type`, or if the body is malformed.
    public var multipart: [MultipartPart]? {
        guard let type = contentType, type.isOf("multipart/form-data"), let boundary = type.parameter("boundary") else {
            return nil
        }
        return MultipartPart.parts(of: content, boundary: boundary)
    }

    /// Returns the path segments that match the names in the given pattern, such as `["id": "7"]` for `/users/{id}`.
    public func segments(_ pattern: String) -> [String: String] {
        TargetPattern(pattern).path.values(in: RequestTarget(url)) ?? [:]
    }

    private var contentType: MediaType? { headers["Content-Type"].map { MediaType(rawValue: $0) } }
}

/// A part of a multipart form.
public struct MultipartPart: Sendable, Hashable {
    /// The name of the field.
    public let name: String
    /// The name of the file, or nil for a field without a file.
    public let filename: String?
    /// The header fields of the part.
    public let headers: HTTPHeaders
    /// The content of the part.
    public let data: Data

    /// The part's `Content-Type`, or nil if there is none.
    public var type: MediaType? { headers["Content-Type"].map { MediaType(rawValue: $0) } }
    /// The content as UTF-8 text, or nil if the content isn't valid UTF-8.
    public var text: String? { String(data: data, encoding: .utf8) }

    /// Returns the parts; nil if the content is truncated or a part has no name.
    static func parts(of content: Data, boundary: String) -> [MultipartPart]? {
        // Each delimiter except the first begins with the line end before it.
        var rest = Data("\r\n".utf8) + content
        let delimiter = Data("\r\n--\(boundary)".utf8)
        guard let first = rest.range(of: delimiter) else { return nil }
        rest = rest[first.upperBound...]
        var parts: [MultipartPart] = []
        while !rest.starts(with: Data("--".utf8)) {
            guard rest.starts(with: Data("\r\n".utf8)), let end = rest.range(of: delimiter),
                let part = MultipartPart(rest[..<end.lowerBound].dropFirst(2))
            else { return nil }
            parts.append(part)
            rest = rest[end.upperBound...]
        }
        return parts
    }

    private init?(_ bytes: Data) {
        let mark = Data("\r\n\r\n".utf8)
        guard let end = bytes.range(of: mark) else { return nil }
        var headers: HTTPHeaders = [:]
        for line in String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n") {
            let pair = line.split(separator: ":", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            headers.append(String(pair[0]), pair[1].trimmingCharacters(in: .whitespaces))
        }
        let disposition = headers["Content-Disposition"].map { MediaType(rawValue: $0) }
        guard let name = disposition?.parameter("name") else { return nil }
        self.name = Self.unescaped(name)
        filename = disposition?.parameter("filename").map(Self.unescaped)
        self.headers = headers
        data = Data(bytes[end.upperBound...])
    }

    /// Browsers and this library escape quotes and line breaks this way (WHATWG HTML).
    private static func unescaped(_ text: String) -> String {
        var text = text
        for (escape, character) in [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")] {
            text = text.replacingOccurrences(of: escape, with: character)
        }
        return text
    }
}

extension MediaType {
    fileprivate func isOf(_ essence: String) -> Bool {
        rawValue.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased() == essence
    }
}

extension String {
    /// The part of a URL after the `?`, without the fragment.
    fileprivate var queryPart: String {
        guard let start = firstIndex(of: "?") else { return "" }
        return String(self[index(after: start)...].prefix { $0 != "#" })
    }
}

extension Query {
    /// Decodes pairs.
    fileprivate init(urlEncoded text: String) { self.init(Query.raw(text).pairs.map { ($0.name, $0.value) }) }
}

extension RequestBody {
    /// The number of bytes; nil if there is no body or its length is unknown.
    var byteCount: Int? {
        switch self {
        case .none: nil
        case .data(let data): data.isEmpty ? nil : data.count
        case .file(let url): try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
        case .stream(let length, _), .chunks(let length, _): length
        }
    }

    /// Whether the body is read while it is sent, possibly only once.
    var isStream: Bool {
        switch self {
        case .stream, .chunks: true
        case .none, .data, .file: false
        }
    }
}
