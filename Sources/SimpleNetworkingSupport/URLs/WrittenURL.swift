/// A URL, and the text that is sent for it, which Foundation's `URL` can't always hold.
///
/// Foundation encodes `[`, `]`, `{`, `}`, `|`, `^`, `` ` ``, `\` and a lone `%` in paths and queries. Servers send such
/// URLs in redirects, and may have signed exactly these bytes.
package struct WrittenURL: Hashable, Sendable {
    package let url: URL
    /// The text that is sent.
    package let text: String

    /// Creates a URL from parts without any characters that must be encoded to be sent.
    init(origin: String, path: String, query: String?) throws(UnusableURL) {
        let sent = path + (query.map { "?" + $0 } ?? "")
        let strict =
            PercentEncoding.encode(path, keeping: PercentEncoding.path, keepsTriplets: true)
            + (query.map { "?" + PercentEncoding.encode($0, keeping: PercentEncoding.query, keepsTriplets: true) } ?? "")
        let ascii = try Self.inASCII(origin)
        guard let url = URL(string: ascii + strict) else { throw UnusableURL(origin + sent, "it is not valid") }
        self.url = url
        let text = url.absoluteString
        // Foundation writes international hosts in ASCII.
        let isSame = sent.utf8.count == strict.utf8.count || !text.hasSuffix(strict)
        self.text = isSame ? text : text.dropLast(strict.count) + sent
    }

    /// Returns an origin with its host in ASCII, which `URL` does itself with full Foundation.
    private static func inASCII(_ origin: String) throws(UnusableURL) -> String {
        guard Platform.foundation == nil, !origin.isMade(of: asciiOrigin), let start = origin.firstRange(of: "://")
        else {
            return origin
        }
        let (host, port) = origin[start.upperBound...].parts(at: ":")
        // Text that was encoded although it is ASCII would become another host.
        guard let name = host.percentDecoded, !name.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw UnusableURL(origin, "it is not valid")
        }
        guard let ascii = InternationalHost.ascii(name) else {
            throw UnusableURL(origin, InternationalHost.refusal)
        }
        return origin[..<start.upperBound] + ascii + (port.map { ":" + $0 } ?? "")
    }

    private static let asciiOrigin = ByteSet.lettersAndDigits.union("-._~:/[]!$&'()*+,;=")

    /// Creates a URL whose text Foundation holds as it is sent.
    package init(_ url: URL) {
        let text = url.absoluteString
        self = Self.international(url, text) ?? Self(url, text)
    }

    private init(_ url: URL, _ text: String) {
        self.url = url
        self.text = text
    }

    /// Returns a URL with its host in ASCII if `URL` has encoded it, as it does without full Foundation.
    private static func international(_ url: URL, _ text: String) -> WrittenURL? {
        guard Platform.foundation == nil, text.utf8.contains(UInt8(ascii: "%")),
            url.host?.utf8.allSatisfy({ $0 < 0x80 }) == false
        else { return nil }
        return try? URLParts(text).written()
    }
}
