#if DEBUG
    import Foundation
    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore
    import SimpleNetworkingSupport
    import SimpleNetworkingFeatureSupport
    @testable import SimpleNetworkingTesting

    extension ParserTarget {
        static let cassettes = [
            ParserTarget(name: "cassettes") { random in
                var input = RandomInput(random)
                try readFile("cassette.json", &input)
            },
            ParserTarget(name: "http-archives") { random in
                var input = RandomInput(random)
                try readFile("cassette.har", &input)
            },
        ]

        /// A file gives the exchanges that were written; a changed one is read or refused, and nothing else.
        private static func readFile(_ name: String, _ input: inout RandomInput) throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzzing-\(getpid())")
            let file = folder.appendingPathComponent(name)
            let exchanges = input.list(0...3, exchange)
            try CassetteFile(exchanges: exchanges).write(file)
            defer { try? FileManager.default.removeItem(at: folder) }
            let read = try CassetteFile.read(file).exchanges
            try require(read.count == exchanges.count, "\(read.count) exchanges, not \(exchanges.count)")
            for (found, expected) in zip(read, exchanges) {
                var expected = expected
                if file.pathExtension == "har" { hideUsers(in: &expected.request) }
                try requireSame(found, as: expected)
            }

            var content = try Data(contentsOf: file)
            // Not to nothing: Foundation leaks four kilobytes with each empty file that it reads.
            for _ in 0..<input.number(1...4) {
                let place = input.number(0...content.count - 1)
                switch input.number(0...3) {
                case 0: content[place] ^= 1 << UInt8(input.number(0...7))
                case 1: content = Data(content.prefix(place + 1))
                case 2: content.insert(contentsOf: input.bytes(1...3), at: place)
                default: content.replaceSubrange(place..<min(place + 6, content.count), with: Data("null".utf8))
                }
            }
            try content.write(to: file)
            // Refused with a text, or read: what was changed may be a value.
            do { _ = try CassetteFile.read(file) } catch let failure as CassetteFailure {
                try require(failure.description.contains(name), "the text names no file: \(failure)")
            }
        }

        private static func exchange(_ input: inout RandomInput) -> CassetteExchange {
            let request = CassetteRequest(
                method: input.pick(["GET", "POST", input.token()]),
                url: "http://example.com/" + input.text(of: "ab12-._~"),
                headers: input.list(0...3) { "\(name(&$0)): \(value(&$0))" },
                body: input.chance(2) ? input.anyText(1...40) : nil
            )
            let content = input.chance(2) ? input.bytes(0...60) : Data(input.anyText(0...60).utf8)
            let response = CassetteResponse(
                status: input.number(200...599),
                headers: HTTPHeaders(fields: input.list(0...3) { .init($0.token(), value(&$0)) }),
                content: content,
                trailers: HTTPHeaders(fields: input.list(0...1) { .init($0.token(), value(&$0)) })
            )
            return CassetteExchange(request: request, response: response)
        }

        /// A name of a request's field, without the letters of which those of secrets are made, such as “key”.
        private static func name(_ input: inout RandomInput) -> String {
            input.text(of: "bdfgBDFG0123456789!#$%&'*+-.^_`|~")
        }

        /// A field's value, which can't begin or end with a blank.
        private static func value(_ input: inout RandomInput) -> String {
            "v" + input.anyText(without: "\r\n\0") + "v"
        }

        /// An archive may be another tool's: what stands before the `@` of a URL is hidden in its requests.
        private static func hideUsers(in request: inout CassetteRequest) {
            request.headers = request.headers.map(hidingUsers)
            request.body = request.body.map(hidingUsers)
        }

        /// After a single slash, user info has a colon.
        private static func hidingUsers(in text: String) -> String {
            // Scalars: a combining mark makes no other character of the `@`.
            let user = #/([/\\]{2,})[^/?#"'<>\\ \t\r\n]+@|:/[^/?#"'<>\\ \t\r\n]*:[^/?#"'<>\\ \t\r\n]*@/#
                .matchingSemantics(.unicodeScalar)
            return text.replacing(user) { ($0.1 ?? ":/") + "‹secret›@" }
        }

        private static func requireSame(_ found: CassetteExchange, as expected: CassetteExchange) throws {
            let fields: [(String, [String], [String])] = [
                ("method", [found.request.method], [expected.request.method]),
                ("url", [found.request.url], [expected.request.url]),
                ("header", found.request.headers, expected.request.headers),
                ("body", [found.request.body ?? "nil"], [expected.request.body ?? "nil"]),
                ("response's header", lines(found.response?.headers), lines(expected.response?.headers)),
                ("trailers", lines(found.response?.trailers), lines(expected.response?.trailers)),
            ]
            for (name, found, expected) in fields {
                try require(found.count == expected.count, "\(name): \(found), not \(expected)")
                for pair in zip(found, expected) { try require(pair.0, is: pair.1, name) }
            }
            try require(
                found.response?.status == expected.response?.status
                    && found.response?.content == expected.response?.content,
                "\(String(describing: found.response)), not \(String(describing: expected.response))"
            )
        }

        private static func lines(_ headers: HTTPHeaders?) -> [String] {
            headers?.map { "\($0.name): \($0.value)" } ?? []
        }
    }
#endif
