#if DEBUG
    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore
    import SimpleNetworkingSupport
    import SimpleNetworkingFeatureSupport
    @testable import SimpleNetworkingCaching
    @testable import SimpleNetworkingPagination

    extension ParserTarget {
        static let fields = [
            ParserTarget(name: "header-fields") { random in
                var input = RandomInput(random)
                try changeFields(&input)
                try checkFields(&input)
                try splitList(&input)
            },
            ParserTarget(name: "link") { random in
                var input = RandomInput(random)
                try readLinks(&input)
                _ = LinkHeader(input.anyText(0...60)).target(of: "next")
            },
            ParserTarget(name: "cache-control") { random in
                var input = RandomInput(random)
                try readDirectives(&input)
                try findNoStore(&input)
            },
        ]

        /// A list of fields does what a plain list of pairs does.
        private static func changeFields(_ input: inout RandomInput) throws {
            var (headers, model) = (HTTPHeaders(), [(name: String, value: String)]())
            func same(_ a: String, _ b: String) -> Bool { a.lowercased() == b.lowercased() }
            let names = input.list(2...4) { $0.token(1...3) }
            for _ in 0..<input.number(1...12) {
                let (name, value) = (input.anyCase(input.pick(names)), input.token())
                switch input.number(0...3) {
                case 0:
                    headers[name] = nil
                    model.removeAll { same($0.name, name) }
                case 1:
                    headers[name] = value
                    let first = model.firstIndex { same($0.name, name) }
                    model.removeAll { same($0.name, name) }
                    model.insert((name, value), at: first ?? model.count)
                default:
                    headers.append(name, value)
                    model.append((name, value))
                }
                try require(headers.map(\.name) == model.map(\.name), "\(headers) has other names than \(model)")
                try require(headers.map(\.value) == model.map(\.value), "\(headers) has other values than \(model)")
            }
            for name in names {
                let values = model.filter { same($0.name, name) }.map(\.value)
                try require(headers.values(for: name) == values, "the values of \(name) in \(headers)")
                try require(headers[name], is: values.isEmpty ? nil : values.joined(separator: ", "), name)
            }
        }

        /// Nothing is sent that could end a field early.
        private static func checkFields(_ input: inout RandomInput) throws {
            let (name, value) = (input.anyText(0...5), input.anyText(0...8))
            let isSafe = HTTPHeaders(fields: [.init(name, value)]).defect == nil
            let endings: Set<UInt8> = [0, 10, 13]
            let isTokenlike = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
            if isSafe {
                try require(isTokenlike, "\(name.debugDescription) was taken as a name")
                try require(
                    !value.utf8.contains { endings.contains($0) },
                    "\(value.debugDescription) was taken as a value"
                )
            } else {
                let separators = Set("()<>@,;:\\\"/[]?={} \t".utf8)
                let isToken = isTokenlike && !name.utf8.contains { separators.contains($0) }
                try require(!isToken || value.utf8.contains { endings.contains($0) }, "\(name): \(value) was refused")
            }
        }

        /// Members come out as they went in, with commas in quotes.
        private static func splitList(_ input: inout RandomInput) throws {
            let members = input.list(1...5) { input -> String in
                guard input.chance(2) else { return input.token() }
                let text = input.anyText(0...5, without: "\"\\")
                return input.token() + "=\"" + text + (input.chance(3) ? "\\\"" : "") + "\""
            }
            for hides in [true, false] {
                let found = members.joined(separator: ",").listMembers(hidingBehindUnclosedQuotes: hides)
                try require(
                    found.map { Array($0.utf8) } == members.map { Array($0.utf8) },
                    "\(members) became \(found)"
                )
            }
        }

        /// Links come out as they went in, quoted or not.
        private static func readLinks(_ input: inout RandomInput) throws {
            typealias Expected = (target: String, relations: [String], parameters: [String: String])
            let links = input.list(0...4) { input -> (text: String, expected: Expected) in
                let target = input.text(of: "abc/?&=%;,:.#\"'é", 0...8)
                let relations = input.list(1...3) { $0.text(of: "abcdNX:/.", 1...5) }
                var parameters: [String: String] = [:]
                var text = "<\(target)>"
                let rel = input.anyCase("rel") + "=\"" + relations.joined(separator: " ") + "\""
                var parts = [rel]
                for name in Set(input.list(0...3) { $0.text(of: "abcdef-", 1...4) }).subtracting(["rel"]).sorted() {
                    let value = input.anyText(0...6)
                    parameters[name] = value
                    let quoted = value.unicodeScalars.map { "\"\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }
                        .joined()
                    parts.append(input.anyCase(name) + "=\"\(quoted)\"")
                }
                for part in input.shuffled(parts) { text += input.pick([";", "; ", " ;\t"]) + part }
                return (text, (target, relations.map { $0.lowercased() }, parameters))
            }
            let text = links.map(\.text).joined(separator: input.pick([",", ", ", " , "]))
            let found = LinkHeader(text).links
            try require(found.count == links.count, "\(text) has \(found.count) links")
            for (found, link) in zip(found, links) {
                try require(found.target, is: link.expected.target, text)
                try require(found.relations == link.expected.relations, "\(text): \(found.relations)")
                try require(found.parameters.count == link.expected.parameters.count, "\(text): \(found.parameters)")
                for (name, value) in link.expected.parameters { try require(found.parameters[name], is: value, text) }
            }
        }

        /// Directives come out as they went in; of a repeated one, the first counts.
        private static func readDirectives(_ input: inout RandomInput) throws {
            let names = ["max-age", "no-cache", "private", "stale-if-error", "x"]
            var (expected, fields) = ([String: Double](), HTTPHeaders())
            for _ in 0..<input.number(0...3) {
                let members = input.list(0...4) { input -> String in
                    let (name, number) = (input.pick(names), input.pick([0, 1, 60, 2_147_483_648, 99_999_999_999]))
                    let form = input.number(0...3)
                    let value: Double = form == 0 ? -1 : form == 3 ? -2 : min(Double(number), 2_147_483_648)
                    expected[name] = expected[name] ?? value
                    let argument = ["", "=\(number)", "=\"\(number)\"", "=\"a, no-store=\(number)\""][form]
                    return input.pick(["", " "]) + input.anyCase(name) + argument
                }
                fields.append("Cache-Control", members.joined(separator: ","))
            }
            let control = CacheControl(fields)
            try require(!control.has("no-store"), "\(fields) has no no-store of its own")
            for name in names {
                try require(control.has(name) == (expected[name] != nil), "\(name) in \(fields)")
                let seconds = control.seconds(name, missing: -1, invalid: -2)
                try require(seconds == expected[name], "\(name) in \(fields) is \(String(describing: seconds))")
            }
        }

        /// Nothing before or after a `no-store` hides it.
        private static func findNoStore(_ input: inout RandomInput) throws {
            let noise = input.anyText(0...12, without: "\r\n\0")
            for text in [noise + ", no-store", "no-store," + noise] {
                try require(CacheControl(["Cache-Control": text]).has("no-store"), "\(text.debugDescription) hides it")
            }
            for name in ["max-age", "stale-while-revalidate"] {
                let seconds = CacheControl(["Cache-Control": name + "=" + noise]).seconds(name) ?? 0
                try require((0...2_147_483_648).contains(seconds), "\(noise) is \(seconds) seconds")
            }
        }
    }
#endif
