#if DEBUG
    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore
    import SimpleNetworkingSupport
    import SimpleNetworkingFeatureSupport

    extension ParserTarget {
        static let urls = [
            ParserTarget(name: "url-joining") { random in
                var input = RandomInput(random)
                try join(&input)
            },
            ParserTarget(name: "url-segments") { random in
                var input = RandomInput(random)
                try joinSegments(&input)
            },
            ParserTarget(name: "query") { random in
                var input = RandomInput(random)
                try encodeQuery(&input)
            },
        ]

        private static func base(_ input: inout RandomInput) throws -> URL {
            var text = input.pick(["http", "https"]) + "://" + input.pick(["a.example", "127.0.0.1", "[::1]"])
            text += input.pick(["", ":8080"]) + input.pick(["", "/", "/v1", "/v1/", "/a%2Fb", "/a//b/"])
            text += input.pick(["", "", "?", "?key=1", "?k=%20&l"])
            guard let url = URL(string: text) else { throw Broken(text: "no base: \(text)") }
            return url
        }

        /// Whatever the path is, the URL stays on the base's origin and below its path, and both ways to join agree.
        private static func join(_ input: inout RandomInput) throws {
            let base = try base(&input)
            let pieces = [
                "/", "//", "..", ".", "%2e", "%2E.", "@b.example", "\\", "http:", "://", "?", "#", "a", ":80", ";",
            ]
            let path = input.list(0...6) { $0.chance(3) ? $0.anyText(0...3) : $0.pick(pieces) }.joined()
            let slow = try? URLJoining.url(base: base, path: path)
            let fast = try? BaseURL(base).joined(with: path, Query())
            try require(
                slow == fast,
                "\(path.debugDescription) joined to \(base): \(String(describing: slow)), \(String(describing: fast))"
            )
            guard let url = slow?.url, !URLJoining.isAbsolute(path) else { return }
            try require(Origin(url) == Origin(base), "\(path.debugDescription) left \(base) for \(url)")
            try require(url.user == nil, "\(path.debugDescription) has a user: \(url)")
            let text = slow?.text ?? ""
            try require(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text.debugDescription) is not encoded")
            let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
            let below = URLComponents(url: base, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
            let root = below.hasSuffix("/") ? String(below.dropLast()) : below
            let found = components?.percentEncodedPath ?? ""
            try require(
                found.hasPrefix(root.hasSuffix("/") ? String(root.dropLast()) : root),
                "\(found) is not below \(root)"
            )
            let segments = found.dropFirst(root.count).lowercased().replacingOccurrences(of: "%2e", with: ".")
                .split(separator: "/")
            try require(!segments.contains("..") && !segments.contains("."), "\(found) leaves the base")
        }

        /// Segments come out as they went in, whatever they hold.
        private static func joinSegments(_ input: inout RandomInput) throws {
            let base = try base(&input)
            let segments = input.list(1...4) { $0.anyText(1...6) }
            let path = segments.reduce("") { $0 + "/\(segment: $1)" }
            guard !segments.contains("."), !segments.contains("..") else {
                return try require((try? URLJoining.url(base: base, path: path)) == nil, "\(path) was joined")
            }
            let url = try URLJoining.url(base: base, path: path).url
            let found = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath.split(
                separator: "/",
                omittingEmptySubsequences: false
            ).suffix(segments.count)
            for (found, segment) in zip(found ?? [], segments) {
                try require(decoded(found), is: segment, "a segment of \(url)")
            }
            try require(found?.count == segments.count, "\(url) has another number of segments")
        }

        /// Foundation's own function loses a byte order mark at the beginning.
        private static func decoded(_ segment: Substring) -> String {
            var bytes: [UInt8] = []
            var rest = segment.utf8[...]
            while let byte = rest.popFirst() {
                let isTriplet = byte == UInt8(ascii: "%")
                let digits = isTriplet ? String(decoding: rest.prefix(2), as: UTF8.self) : ""
                guard isTriplet, let value = UInt8(digits, radix: 16) else {
                    bytes.append(byte)
                    continue
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Pairs come out as they went in, by the library's own reading and by Foundation's.
        private static func encodeQuery(_ input: inout RandomInput) throws {
            let pairs = input.list(0...5) { ($0.anyText(0...6), $0.anyText(0...6)) }
            let query = Query(pairs)
            for encoded in [query.encoded, query.formEncoded] {
                let found = Query.raw(encoded).pairs
                try require(found.count == pairs.count, "\(encoded) has \(found.count) pairs, not \(pairs.count)")
                for (found, pair) in zip(found, pairs) {
                    try require(found.name, is: pair.0, "a name in \(encoded)")
                    try require(found.value, is: pair.1, "a value in \(encoded)")
                }
            }
            let items = URLComponents(string: "http://a/?" + query.encoded)?.queryItems ?? []
            try require(
                items.count == max(pairs.count, pairs.isEmpty ? items.count : 0),
                "\(query.encoded) by Foundation"
            )
            for (item, pair) in zip(items, pairs) {
                try require(item.name, is: pair.0, "a name by Foundation")
                try require(item.value ?? "", is: pair.1, "a value by Foundation")
            }
            // Text that is not ours to encode is still no way out of the query.
            let raw = Query.raw(input.anyText(0...12)).encoded
            try require(
                raw.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 },
                "\(raw.debugDescription) leaves the query"
            )
        }
    }
#endif
