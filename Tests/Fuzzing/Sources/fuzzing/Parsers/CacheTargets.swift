#if DEBUG
    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore
    import SimpleNetworkingSupport
    import SimpleNetworkingFeatureSupport
    @testable import SimpleNetworkingCaching

    extension ParserTarget {
        static let caches = [
            ParserTarget(name: "cache-files") { random in
                var input = RandomInput(random)
                try readFile(&input)
            }
        ]

        /// A file gives the response that was written, and nothing once it is changed.
        private static func readFile(_ input: inout RandomInput) throws {
            let names = input.list(3...3) { [UInt8]($0.token().utf8) }
            let digests = input.list(3...3) { Digest([$0.anyText()], salt: names[0]) }
            let entry = CacheKey.Entry(url: digests[0], partition: digests[1], variant: digests[2])
            let response = StoredResponse(
                entry: entry,
                status: input.number(100...599),
                headers: HTTPHeaders(fields: input.list(0...4) { .init($0.token(), $0.anyText()) }),
                body: input.bytes(0...60),
                requestTime: Date(timeIntervalSinceReferenceDate: Double(input.number(0...1_000_000_000)) / 7),
                responseTime: Date(timeIntervalSinceReferenceDate: Double(input.number(-9...1_000_000_000)) / 3)
            )
            let file = try response.fileContent()
            try requireSame(StoredResponse(entry, fileContent: file), as: response, "the file itself")
            // A slice, as other readers give it.
            let slice = (Data([1, 2, 3]) + file).dropFirst(3)
            try requireSame(StoredResponse(entry, fileContent: slice), as: response, "a slice")
            var changed = file
            let place = input.number(0...file.count - 1)
            switch input.number(0...3) {
            case 0: changed[place] ^= 1 << UInt8(input.number(0...7))
            case 1: changed = file.prefix(place)
            case 2: changed += input.bytes(1...9)
            default:
                let other = input.bytes(1...1)
                changed.insert(contentsOf: other, at: place)
            }
            if changed != file {
                try require(
                    StoredResponse(entry, fileContent: changed) == nil,
                    "a changed file was read: \(Array(changed))"
                )
            }
            let renamed = CacheKey.Entry(url: digests[1], partition: digests[0], variant: digests[2])
            if renamed != entry {
                try require(StoredResponse(renamed, fileContent: file) == nil, "a renamed file was read")
            }
            try require(StoredResponse(entry, fileContent: input.bytes(0...80)) == nil, "noise was read")
        }

        private static func requireSame(_ found: StoredResponse?, as expected: StoredResponse, _ text: String) throws {
            guard let found else { throw Broken(text: "\(text) was not read") }
            let fields = [found, expected].map { $0.headers.map { [Array($0.name.utf8), Array($0.value.utf8)] } }
            let isSame =
                found.status == expected.status && fields[0] == fields[1] && found.body == expected.body
                && found.requestTime == expected.requestTime && found.responseTime == expected.responseTime
            if !isSame { throw Broken(text: "\(text) gave \(found), not \(expected)") }
        }
    }
#endif
