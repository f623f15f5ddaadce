#if DEBUG
    import SimpleNetworkingForms

    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore
    import SimpleNetworkingSupport
    import SimpleNetworkingFeatureSupport
    @testable import SimpleNetworkingTransfers

    extension ParserTarget {
        static let streams = [
            ParserTarget(name: "event-stream") { random in
                var input = RandomInput(random)
                try readEvents(&input)
            },
            ParserTarget(name: "lines") { random in
                var input = RandomInput(random)
                try readLines(&input)
            },
            ParserTarget(name: "multipart") { random in
                var input = RandomInput(random)
                try readParts(&input)
            },
        ]

        private static func stream(_ input: inout RandomInput) -> Data {
            let words = [
                "data: ", "data:", "data", "event: ", "id: ", "id:\0", "retry: ", "10", "\n", "\n", "\r\n", "\r",
                ": note", "\u{FEFF}",
                "datax: ", " ", ":",
            ]
            return input.list(0...24) { $0.chance(8) ? $0.bytes(0...4) : Data($0.pick(words).utf8) }.reduce(Data(), +)
        }

        /// Whatever the chunks are, the events are those of a reader that has all bytes at once.
        private static func readEvents(_ input: inout RandomInput) throws {
            let bytes = stream(&input)
            var splitter = LineSplitter(lineEnd: .any, keepsUnfinished: false, limit: 1 << 20)
            var (parser, found) = (EventStreamParser(limit: 1 << 20), [ServerSentEvent]())
            let chunks = input.cut(bytes)
            for chunk in chunks {
                splitter.add(chunk)
                while let line = try splitter.next() {
                    if let event = try parser.read(line, number: splitter.count) { found.append(event) }
                }
            }
            let expected = events(in: bytes)
            try require(
                found == expected,
                "\(chunks.map { String(decoding: $0, as: UTF8.self).debugDescription }): \(found), not \(expected)"
            )
        }

        /// The HTML standard's algorithm, word for word.
        private static func events(in bytes: Data) -> [ServerSentEvent] {
            var rest = Array(bytes)
            if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
            var (events, data, name, id) = ([ServerSentEvent](), [[UInt8]](), "", "")
            var retry: TimeInterval?
            while let end = rest.firstIndex(where: { $0 == 10 || $0 == 13 }) {
                let line = Array(rest[..<end])
                let isPair = rest[end] == 13 && end + 1 < rest.count && rest[end + 1] == 10
                rest.removeSubrange(...(isPair ? end + 1 : end))
                if line.isEmpty {
                    if !data.isEmpty {
                        let text = data.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
                        events.append(
                            ServerSentEvent(event: name.isEmpty ? "message" : name, data: text, id: id, retry: retry)
                        )
                    }
                    (data, name) = ([], "")
                    continue
                }
                let colon = line.firstIndex(of: 58) ?? line.count
                var value = Array(line.dropFirst(colon + 1))
                if value.first == 32 { value.removeFirst() }
                switch String(decoding: line[..<colon], as: UTF8.self) {
                case "data": data.append(value)
                case "event": name = String(decoding: value, as: UTF8.self)
                case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
                case "retry":
                    if !value.isEmpty, value.allSatisfy({ (48...57).contains($0) }),
                        let number = Double(String(decoding: value, as: UTF8.self))
                    {
                        retry = min(number / 1000, 2_147_483_648)
                    }
                default: break
                }
            }
            return events
        }

        private static func readLines(_ input: inout RandomInput) throws {
            let bytes = stream(&input)
            let limit = input.pick([1 << 20, 8])
            var splitter = LineSplitter(lineEnd: .lineFeed, keepsUnfinished: true, limit: limit)
            var found: [Data] = []
            var isTooLong = false
            do {
                for chunk in input.cut(bytes) {
                    splitter.add(chunk)
                    while let line = try splitter.next() { found.append(Data(line)) }
                }
                splitter.finish()
                while let line = try splitter.next() { found.append(Data(line)) }
            } catch {
                isTooLong = true
            }
            var expected = bytes.split(separator: 10, omittingEmptySubsequences: false).map { line in
                Data(line.last == 13 ? line.dropLast() : line)
            }
            let hasLong = expected.contains { $0.count > limit }
            if let long = expected.firstIndex(where: { $0.count > limit }) { expected.removeSubrange(long...) }
            if expected.first?.starts(with: [0xEF, 0xBB, 0xBF]) == true {
                expected[0] = Data(expected[0].dropFirst(3))
            }
            // A last line without an end is one if there is anything in it.
            if !hasLong, expected.last?.isEmpty == true { expected.removeLast() }
            try require(isTooLong == hasLong, "\(Array(bytes)) with the limit \(limit): \(isTooLong)")
            try require(found == expected, "\(Array(bytes)): \(found.map(Array.init)), not \(expected.map(Array.init))")
        }

        /// Parts come out as they went in, read by another parser; a name with a control character is refused.
        private static func readParts(_ input: inout RandomInput) throws {
            typealias Part = (name: String, filename: String?, data: Data)
            let boundary = "fuzzing." + input.text(of: "abc-_.9", 8...20)
            let parts = input.list(0...4) { input -> Part in
                let filename = input.chance(2) ? nil : input.anyText(0...6, without: "%")
                let bytes =
                    input.chance(2)
                    ? input.bytes(0...20) : Data(input.pick(["\r\n", "--", "\r\n--fuzzing", "--\r\n"]).utf8)
                return (input.anyText(0...6, without: "%"), filename, bytes)
            }
            let form = parts.reduce(Multipart(boundary: boundary)) { $0.data($1.name, $1.data, filename: $1.filename) }
            // Line breaks are escaped.
            let isRefused = parts.contains { part in
                (part.name + (part.filename ?? "")).unicodeScalars.contains {
                    ($0.value < 32 || $0.value == 127) && $0 != "\r" && $0 != "\n"
                }
            }
            guard !isRefused else {
                try require((try? form.encoded()) == nil, "a control character in a name of \(parts)")
                return
            }
            guard case .data(let bytes) = try form.encoded() else { throw Broken(text: "the content is not in memory") }
            var rest = bytes[...]
            func take(_ text: String) throws {
                try require(
                    rest.starts(with: text.utf8),
                    "\(text.debugDescription) is missing before \(Array(rest.prefix(80)))"
                )
                rest = rest.dropFirst(text.utf8.count)
            }
            for part in parts {
                try take("--\(boundary)\r\nContent-Disposition: form-data; name=\"")
                try require(try takeQuoted(&rest), is: part.name, "the name of a part")
                if let filename = part.filename {
                    try take("; filename=\"")
                    try require(try takeQuoted(&rest), is: filename, "the filename of a part")
                }
                guard let end = rest.firstRange(of: Data("\r\n\r\n".utf8)) else {
                    throw Broken(text: "a head has no end")
                }
                rest = rest[end.upperBound...]
                try require(rest.prefix(part.data.count) == part.data, "\(Array(part.data)) came out as \(Array(rest))")
                rest = rest.dropFirst(part.data.count)
                try take("\r\n")
            }
            try take("--\(boundary)--\r\n")
            try require(rest.isEmpty, "\(rest.count) bytes follow the end")
        }

        /// Reads up to the closing quote, and undoes the escapes of form data.
        private static func takeQuoted(_ rest: inout Data) throws -> String {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { throw Broken(text: "a name has no end") }
            let text = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            try require(!text.utf8.contains { $0 == 10 || $0 == 13 }, "a line break in \(text.debugDescription)")
            return [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")].reduce(text) {
                $0.replacingOccurrences(of: $1.0, with: $1.1, options: .literal)
            }
        }
    }
#endif
