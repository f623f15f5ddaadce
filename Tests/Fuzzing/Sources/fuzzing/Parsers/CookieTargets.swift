#if DEBUG
    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore
    import SimpleNetworkingSupport
    import SimpleNetworkingFeatureSupport
    @testable import SimpleNetworkingCookies

    extension ParserTarget {
        static let cookies = [
            ParserTarget(name: "set-cookie") { random in
                var input = RandomInput(random)
                try readCookie(&input)
                try confine(&input)
            }
        ]

        private static let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

        private static func url(_ text: String) throws -> URL {
            guard let url = URL(string: text) else { throw Broken(text: "no URL: \(text)") }
            return url
        }

        /// A cookie comes out as it was set, whatever the order and the case of its attributes.
        private static func readCookie(_ input: inout RandomInput) throws {
            let name = input.chance(5) ? "" : input.token()
            let value = input.text(of: "abc=\",+/%é []{}日", 1...10).trimmingCharacters(in: .whitespaces)
            let lifetime = input.pick([0, 1, 3600, 400 * 86_400, 999_999_999])
            let (isSecure, hasLifetime, isWide) = (input.chance(2), input.chance(2), input.chance(2))
            var attributes = [input.anyCase("httponly"), input.token() + "=" + input.token()]
                .filter {
                    !["max-age", "expires", "path", "domain", "secure"].contains($0.prefix { $0 != "=" }.lowercased())
                }
            if isSecure { attributes.append(input.anyCase("secure")) }
            if hasLifetime { attributes.append(input.anyCase("max-age") + "=\(lifetime)") }
            let path = input.chance(2) ? nil : "/" + input.text(of: "abc/%.", 0...6)
            if let path { attributes.append(input.anyCase("path") + "= \(path) ") }
            if isWide {
                attributes.append(
                    input.anyCase("domain") + "=" + input.pick(["", "."]) + input.anyCase("shop.example")
                )
            }
            let pair = name.isEmpty && !value.contains("=") ? value : name + "=" + value
            let text = ([pair] + input.shuffled(attributes)).joined(separator: input.pick([";", "; ", " ;"]))
            let isPrefixed = (name.isEmpty ? value : name).lowercased().hasPrefix("__")
            let cookie = Cookie(setCookie: text, from: try url("https://www.shop.example/a/b"), now: now)
            guard !isPrefixed, !(name.isEmpty && value.isEmpty) else { return }
            guard let cookie else { throw Broken(text: "\(text.debugDescription) was refused") }
            try require(cookie.name, is: name, text)
            try require(cookie.value, is: value, text)
            try require(cookie.path, is: path ?? "/a", text)
            try require(cookie.domain, is: isWide ? "shop.example" : "www.shop.example", text)
            try require(cookie.isHostOnly == !isWide && cookie.isSecure == isSecure, text)
            let expected =
                hasLifetime ? (lifetime == 0 ? .distantPast : now + Double(min(lifetime, 400 * 86_400))) : nil
            try require(cookie.expires == expected, "\(text): \(String(describing: cookie.expires))")
        }

        /// No text whatsoever makes a cookie that goes beyond its site, lives longer than allowed, or breaks a promise.
        private static func confine(_ input: inout RandomInput) throws {
            let words = [
                "a=1", "__Host-a=1", "__secure-b=2", "=__Host-c", "Domain=", "domain=co.uk", "Domain=.example",
                "Path=/", "Secure",
                "shop.example", "Max-Age=", "99999999999999999999", "-1", "Expires=Wed, 09 Jun 2100 10:18:14 GMT", ";",
                "; ", "=",
            ]
            let text = input.list(1...8) { $0.chance(4) ? $0.anyText(0...3) : $0.pick(words) }.joined(
                separator: input.pick(["", ";"])
            )
            let isSecure = input.chance(2)
            let source = try url((isSecure ? "https" : "http") + "://www.shop.example/a/b")
            guard let cookie = Cookie(setCookie: text, from: source, now: now) else { return }
            let shown = text.debugDescription
            try require(
                ["www.shop.example", "shop.example"].contains(cookie.domain),
                "\(shown) is for \(cookie.domain)"
            )
            for other in [
                "https://example/", "https://evil.example/", "https://xshop.example/", "https://shop.example.org/",
            ] {
                let target = CookieTarget(try url(other))
                try require(target.map { cookie.goes(to: $0, now: Date()) } != true, "\(shown) goes to \(other)")
            }
            try require(
                cookie.pair.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 },
                "\(shown) holds a control character"
            )
            try require(!cookie.pair.utf8.contains(UInt8(ascii: ";")), "\(shown) holds a semicolon")
            try require(cookie.name.utf8.count + cookie.value.utf8.count <= 4096, "\(shown) is too long")
            try require(
                cookie.expires.map { $0 <= now + 400 * 86_400 } ?? true,
                "\(shown) lives until \(String(describing: cookie.expires))"
            )
            try require(isSecure || !cookie.isSecure, "\(shown) is secure, but came over http")
            let name = (cookie.name.isEmpty ? cookie.value : cookie.name).lowercased()
            if name.hasPrefix("__secure-") { try require(cookie.isSecure, "\(shown) is not secure") }
            if name.hasPrefix("__host-") {
                try require(
                    cookie.isSecure && cookie.isHostOnly && cookie.path == "/",
                    "\(shown) is not bound to its host"
                )
            }
        }
    }
#endif
