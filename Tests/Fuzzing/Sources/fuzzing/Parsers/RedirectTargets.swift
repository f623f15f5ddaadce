#if DEBUG
    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore
    import SimpleNetworkingSupport
    import SimpleNetworkingFeatureSupport
    @testable import SimpleNetworkingOAuth

    extension ParserTarget {
        static let redirects = [
            ParserTarget(name: "redirects") { random in
                var input = RandomInput(random)
                try resolve(&input)
                try follow(&input)
            },
            ParserTarget(name: "oauth-callbacks") { random in
                var input = RandomInput(random)
                try readCallback(&input)
                try refuseCallback(&input)
            },
        ]

        private static func url(_ text: String) throws -> URL {
            guard let url = URL(string: text) else { throw Broken(text: "no URL: \(text)") }
            return url
        }

        private static func origin(_ url: URL) throws -> Origin {
            guard let origin = Origin(url) else { throw Broken(text: "no origin: \(url)") }
            return origin
        }

        /// A reference is resolved as RFC 3986 §5.2 says, by its pseudocode.
        private static func resolve(_ input: inout RandomInput) throws {
            let segments = ["a", "bc", ".", "..", "...", "", "a.b", ";x", "%2E"]
            func path(_ input: inout RandomInput) -> String {
                input.list(0...5) { $0.pick(segments) }.joined(separator: "/")
            }
            let base = "http://a.example/" + path(&input) + input.pick(["", "?b=1"])
            var reference = input.pick(["", "", "", "//b.example", "https://c.example:8443"])
            let relative = path(&input)
            reference += reference.isEmpty ? input.pick(["", "/"]) + relative : (input.chance(2) ? "/" + relative : "")
            if reference.hasPrefix("//"), !reference.hasPrefix("//b") { return }
            reference += input.pick(["", "?", "?q=/../x"]) + input.pick(["", "#f?../"])
            let found = try URLParts(resolving: reference, against: try url(base)).url().absoluteString
            let expected = resolved(reference, against: base)
            // A URL without a path is written without a slash.
            try require(found, is: expected, "\(reference) against \(base)")
        }

        private static func resolved(_ reference: String, against base: String) -> String {
            func split(_ text: String) -> (origin: String?, path: String, query: String?) {
                let text = String(text.prefix { $0 != "#" })
                let mark = text.firstIndex(of: "?")
                let (front, query) = (String(text[..<(mark ?? text.endIndex)]), mark.map { String(text[$0...]) })
                let start = front.hasPrefix("//") ? front.startIndex : front.range(of: "://")?.lowerBound
                guard let start, let authority = front.range(of: "//", range: start..<front.endIndex)?.upperBound else {
                    return (nil, front, query)
                }
                let slash = front[authority...].firstIndex(of: "/") ?? front.endIndex
                return (String(front[..<slash]), String(front[slash...]), query)
            }
            func withoutDots(_ path: String) -> String {
                var (input, output) = (path, "")
                while !input.isEmpty {
                    if input.hasPrefix("/./") || input == "/." {
                        input = "/" + input.dropFirst(3)
                    } else if input.hasPrefix("/../") || input == "/.." {
                        input = "/" + input.dropFirst(4)
                        output = String(output[..<(output.lastIndex(of: "/") ?? output.startIndex)])
                    } else {
                        let end = input.dropFirst().firstIndex(of: "/") ?? input.endIndex
                        output += input[..<end]
                        input = String(input[end...])
                    }
                }
                return output
            }
            let (b, r) = (split(base), split(reference))
            if let origin = r.origin {
                return (origin.hasPrefix("//") ? "http:" + origin : origin) + withoutDots(r.path) + (r.query ?? "")
            }
            let origin = b.origin ?? ""
            if r.path.isEmpty { return origin + b.path + (r.query ?? b.query ?? "") }
            if r.path.hasPrefix("/") { return origin + withoutDots(r.path) + (r.query ?? "") }
            let folder = b.path[...(b.path.lastIndex(of: "/") ?? b.path.startIndex)]
            return origin + withoutDots(folder + r.path) + (r.query ?? "")
        }

        /// Wherever a redirect leads: no downgrade, no user, no credential for others, and an end.
        private static func follow(_ input: inout RandomInput) throws {
            let fields: HTTPHeaders = [
                "Authorization": "Bearer x", "Cookie": "a=1", "X-Key": "y", "Accept": "*/*",
                "Content-Type": "text/plain",
                "Host": "www.a.example",
            ]
            var head = RequestHead(
                method: input.pick([.get, .post, .put, .head]),
                url: try url("https://a.example/x"),
                headers: fields
            )
            let trusted: Set<Origin> = [try origin(try url("https://a.example"))]
            let limit = input.number(0...4)
            var chain = RedirectChain(policy: RedirectPolicy(limit: limit), head: head, hasBody: true, trusted: trusted)
            let pieces = [
                "https:", "http:", "//", "b.example", "a.example", "/", "..", "@", "user:pw@", "?q", "#f", ":443",
                "javascript:", "\\", "[", "é", " ",
            ]
            var (count, hasLeft) = (0, false)
            for _ in 0..<6 {
                let location = input.list(0...5) { $0.chance(6) ? $0.anyText(0...3) : $0.pick(pieces) }.joined()
                let status = input.pick([301, 302, 303, 307, 308, 200, 304])
                guard case .follow(let step) = chain.next(status: status, headers: ["Location": location]) else {
                    break
                }
                count += 1
                let shown = "\(location.debugDescription) to \(step.head.url)"
                try require(step.head.url.scheme?.lowercased() == "https", "\(shown) is not https")
                try require(step.head.url.user == nil && step.head.url.password == nil, "\(shown) has a user")
                try require(step.head.url.host?.isEmpty == false, "\(shown) has no host")
                try require(step.head.url.fragment == nil, "\(shown) has a fragment")
                let origin = try origin(step.head.url)
                hasLeft = hasLeft || !trusted.contains(origin)
                for name in ["Authorization", "Cookie", "X-Key", "Host"] where hasLeft {
                    try require(!step.head.headers.contains(name), "\(name) goes along, \(shown)")
                }
                if status == 307 || status == 308 {
                    try require(step.head.method == head.method, "\(status) changes the method, \(shown)")
                } else if head.method == .post {
                    try require(step.head.method == .get && !step.keepsBody, "\(status) keeps POST, \(shown)")
                    try require(
                        !step.head.headers.contains("Content-Type"),
                        "\(status) keeps the content's fields, \(shown)"
                    )
                }
                head = step.head
            }
            try require(count <= limit, "\(count) redirects, though the limit is \(limit)")
        }

        private static let redirectURI = "com.example.app:/signed-in"

        /// Code and state come out as they went in.
        private static func readCallback(_ input: inout RandomInput) throws {
            let (code, state, issuer) = (input.anyText(1...8), input.anyText(1...8), "https://" + input.token())
            var pairs = [("code", code), ("state", state), ("iss", issuer)]
            pairs += input.list(0...2) { ("x" + $0.token(), $0.anyText()) }
            let query = input.shuffled(pairs).map {
                FormURLEncoding.percentEncode($0.0) + "=" + FormURLEncoding.percentEncode($0.1)
            }
            let callback = try url(redirectURI + "?" + query.joined(separator: "&"))
            let expected = ExpectedRedirect(redirectURI: try url(redirectURI), state: Secret(state), issuer: issuer)
            try require(expected.recognizes(callback), "\(callback) is not recognized")
            let response = try expected.read(callback)
            try expected.checkIssuer(of: response)
            try require(try response.code().reveal(), is: code, "\(callback)")
            let other = ExpectedRedirect(redirectURI: try url(redirectURI), state: Secret(state + "x"), issuer: nil)
            try require(
                !other.recognizes(callback) && (try? other.read(callback)) == nil,
                "\(callback) has another state"
            )
            let twice = try url(callback.absoluteString + "&" + input.pick(["code", "state", "iss"]) + "=z")
            try require((try? expected.read(twice)) == nil, "\(twice) was read")
            let elsewhere = try url(callback.absoluteString.replacingOccurrences(of: "signed-in?", with: "signed-in/?"))
            try require((try? expected.read(elsewhere)) == nil, "\(elsewhere) was read")
        }

        /// No text gives a code without the state in it.
        private static func refuseCallback(_ input: inout RandomInput) throws {
            let state = "s3cret-state"
            let pieces = [
                "code=c", "state=", "s3cret-state", "s3cret", "&", "&", "?", "#", "error=x", "=", "%73", "iss=i", "+",
                ";", "state[]=",
            ]
            let text =
                redirectURI + "?" + input.list(0...8) { $0.chance(8) ? $0.anyText(0...3) : $0.pick(pieces) }.joined()
            guard let callback = URL(string: text) else { return }
            let expected = ExpectedRedirect(redirectURI: try url(redirectURI), state: Secret(state), issuer: nil)
            guard let response = try? expected.read(callback), let code = try? response.code() else { return }
            let plain = callback.absoluteString.removingPercentEncoding ?? ""
            try require(
                plain.contains("state=" + state),
                "\(text.debugDescription) gave \(code.reveal()) without the state"
            )
        }
    }
#endif
