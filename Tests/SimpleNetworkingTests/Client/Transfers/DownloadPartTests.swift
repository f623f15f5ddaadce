import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Downloads behind redirects, and from servers that send less than was requested.
@Suite(.timeLimit(.minutes(5)))
struct DownloadPartTests {
    /// A file on a server, and how the server responds to ranges of it.
    struct Source: Sendable {
        var content = FileReply.content
        var fields = ["ETag: \"1\""]
        /// The number of bytes after which the connection is cut.
        var cut: Int?
        /// The maximum length of a part.
        var most = Int.max
        /// Whether parts tell the length of the whole.
        var hasTotal = true
        /// Whether the whole has a length.
        var hasLength = true
        var ignoresCondition = false
        /// The number of bytes that a part lacks, although it ends properly.
        var missing = 0

        func reply(to request: RawServer.Request) -> RawServer.Reply {
            let condition = request[header: "If-Range"] ?? ""
            let mayContinue = ignoresCondition || fields.contains { $0.hasSuffix(": " + condition) }
            guard let range = request[header: "Range"], mayContinue else { return whole }
            let first = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
            let total = hasTotal ? "\(content.count)" : "*"
            guard first < content.count else {
                return .response(status: 416, headers: ["Content-Range": "bytes */\(content.count)"])
            }
            let last = min(content.count, first.addingSaturated(most)) - 1
            let part = content[first...(last - missing)]
            return reply("206", ["Content-Range: bytes \(first)-\(last)/\(total)"], part)
        }

        private var whole: RawServer.Reply {
            guard hasLength else {
                let size = String(content.count, radix: 16)
                let head = (["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"] + fields).joined(separator: "\r\n")
                let start = Data((head + "\r\n\r\n\(size)\r\n").utf8)
                let end: RawServer.Reply.End = cut == nil ? .keepAlive : .close
                let rest = cut == nil ? "\r\n0\r\n\r\n" : ""
                return RawServer.Reply(
                    [.send(start), .send(Data(content.prefix(cut ?? content.count))), .send(Data(rest.utf8))],
                    end: end
                )
            }
            return reply("200", [], content)
        }

        private func reply(_ status: String, _ more: [String], _ part: Data) -> RawServer.Reply {
            let lines = ["HTTP/1.1 \(status) Status"] + fields + more + ["Content-Length: \(part.count)"]
            let head = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
            return RawServer.Reply(
                [.send(head), .content(Data(part.prefix(cut ?? part.count)))],
                end: cut == nil ? .keepAlive : .close
            )
        }
    }

    private let folder = ScratchFolder()
    private let file: URL
    private let request = SimpleNetworking.get("/film.mp4")

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
    }

    private var content: Data? { try? Data(contentsOf: file) }
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path))?.sorted() ?? []
    }

    /// Starts a server of which `/film.mp4` redirects to another URL each time; the last source repeats.
    private func server(
        at locations: [String] = ["/blob?signature=1", "/blob?signature=2", "/blob?signature=3"],
        _ sources: Source...
    ) throws -> RawServer {
        let counts = Locked((redirects: 0, contents: 0))
        return try RawServer { request in
            if request.path == "/film.mp4", !locations.isEmpty {
                let count = counts.withLock { counts in
                    defer { counts.redirects += 1 }
                    return counts.redirects
                }
                return .redirect(to: locations[min(count, locations.count - 1)])
            }
            let count = counts.withLock { counts in
                defer { counts.contents += 1 }
                return counts.contents
            }
            return sources[min(count, sources.count - 1)].reply(to: request)
        }
    }

    private func ranges(_ server: RawServer) -> [String?] {
        server.requests.filter { $0.path != "/film.mp4" || $0[header: "Range"] != nil }.map { $0[header: "Range"] }
    }

    private func fail(_ server: RawServer) async throws {
        await #expect(throws: SimpleNetworkingError.self) {
            try await SimpleNetworking(of: server).download(for: request, to: file)
        }
    }

    private func contentRanges(_ server: RawServer, at path: String = "/blob") -> [String?] {
        server.requests.filter { $0.path == path }.map { $0[header: "Range"] }
    }

    // MARK: - Parts without end

    @Test
    func aDownloadOfVerySmallPartsFailsAndCanBeContinued() async throws {
        let server = try server(at: [], Source(cut: 20_000), Source(most: 1))
        try await fail(server)
        try await fail(server)
        #expect(server.requests.count == 1001)
        #expect(ranges(server).last == "bytes=20999-")
        #expect(content == nil && !names.isEmpty)
    }

    // MARK: - Redirects

    @Test(arguments: [false, true])
    func aFreshlySignedURLContinuesThePartialFile(usesURLSession: Bool) async throws {
        let server = try server(Source(cut: 20_000), Source())
        try await fail(server)
        let client = SimpleNetworking(of: server) {
            if usesURLSession { $0.sessionDelegate = RecordingDelegate() }
        }
        let response = try await client.download(for: request, to: file)
        #expect(response.statusCode == 206 && content == FileReply.content && names == ["film.mp4"])
        #expect(contentRanges(server) == [nil, "bytes=20000-"])
        #expect(server.requests.last?[header: "If-Range"] == "\"1\"")
    }

    /// What a POST is redirected to is the result of that POST.
    @Test
    func whatAPostHasBegunIsNotContinued() async throws {
        let server = try server(Source(cut: 20_000), Source())
        let post = SimpleNetworking.post("/film.mp4")
        await #expect(throws: SimpleNetworkingError.self) {
            try await SimpleNetworking(of: server).download(for: post, to: file)
        }
        #expect(try await SimpleNetworking(of: server).download(for: request, to: file).statusCode == 200)
        #expect(content == FileReply.content && names == ["film.mp4"])
        #expect(contentRanges(server) == [nil, nil])
    }

    @Test
    func aPostContinuesNothing() async throws {
        let server = try server(Source(cut: 20_000), Source())
        try await fail(server)
        let post = SimpleNetworking.post("/film.mp4")
        #expect(try await SimpleNetworking(of: server).download(for: post, to: file).statusCode == 200)
        #expect(content == FileReply.content)
        #expect(contentRanges(server) == [nil, nil])
    }

    @Test
    func eachAttemptContinuesAtItsOwnSignedURL() async throws {
        let server = try server(Source(cut: 20_000), Source(cut: 10_000), Source())
        let client = SimpleNetworking(of: server) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
        }
        #expect(try await client.download(for: request, to: file).attempt == 3)
        #expect(content == FileReply.content)
        #expect(contentRanges(server) == [nil, "bytes=20000-", "bytes=30000-"])
    }

    @Test(arguments: [false, true])
    func aRedirectToOtherContentStartsOver(ignoresCondition: Bool) async throws {
        let other = Data(FileReply.content.reversed())
        let changed = Source(content: other, fields: ["ETag: \"2\""], ignoresCondition: ignoresCondition)
        let server = try server(at: ["/one", "/two"], Source(cut: 20_000), changed)
        try await fail(server)
        #expect(try await SimpleNetworking(of: server).download(for: request, to: file).statusCode == 200)
        #expect(content == other && names == ["film.mp4"])
    }

    /// An `ETag` is unique only among the versions of one resource.
    @Test
    func aPartOfAnotherLengthStartsOverAlthoughItsTagIsTheSame() async throws {
        let other = Data(FileReply.content.reversed()) + Data("more".utf8)
        let server = try server(at: ["/one", "/two"], Source(cut: 20_000), Source(content: other))
        try await fail(server)
        #expect(try await SimpleNetworking(of: server).download(for: request, to: file).statusCode == 200)
        #expect(content == other)
    }

    @Test(arguments: [(["/same"], "bytes=20000-"), (["/one", "/two"], nil)])
    func aDateContinuesOnlyContentOfTheSameURL(locations: [String], range: String?) async throws {
        let fields = ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:39 GMT"]
        let server = try server(at: locations, Source(fields: fields, cut: 20_000), Source(fields: fields))
        try await fail(server)
        try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(content == FileReply.content && server.requests.last?[header: "Range"] == range)
    }

    @Test
    func anotherURLThatLeadsToTheSameContentStartsOver() async throws {
        let server = try server(at: [], Source(cut: 20_000), Source())
        let redirecting = try RawServer { _ in .redirect(to: server.url("/film.mp4").absoluteString) }
        try await fail(server)
        try await SimpleNetworking(of: redirecting).download(for: SimpleNetworking.get("/other"), to: file)
        #expect(contentRanges(server, at: "/film.mp4") == [nil, nil] && content == FileReply.content)
    }

    // MARK: - Parts

    @Test(arguments: [true, false], [true, false])
    func aShorterPartIsContinuedUntilTheContentIsComplete(hasTotal: Bool, hasLength: Bool) async throws {
        let rest = Source(most: 12_000, hasTotal: hasTotal)
        let server = try server(at: [], Source(cut: 20_000, hasLength: hasLength), rest)
        try await fail(server)
        let response = try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(response.statusCode == 206 && content == FileReply.content && names == ["film.mp4"])
        let ranges = contentRanges(server, at: "/film.mp4")
        #expect(ranges.prefix(4) == [nil, "bytes=20000-", "bytes=32000-", "bytes=44000-"])
        // Without any length, only a refusal tells that nothing follows.
        #expect(ranges.dropFirst(4) == (hasTotal || hasLength ? [] : ["bytes=50000-"]))
    }

    @Test
    func progressOfAShorterPartCountsTheWholeFile() async throws {
        let server = try server(at: [], Source(cut: 20_000), Source(most: 12_000))
        try await fail(server)
        let seen = Recorder<TransferProgress>()
        let request = request.copy().on(isolation: nil, progress: { seen.add($0) })
        try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(seen.elements.allSatisfy { $0.bytesReceived < 50_000 || $0.bytesToReceive == 50_000 })
        #expect(seen.elements.allSatisfy { ($0.bytesToReceive ?? 50_000) == 50_000 })
        #expect(seen.elements.last?.bytesReceived == 50_000)
    }

    @Test
    func aVersionThatChangesBetweenPartsIsFetchedWhole() async throws {
        let other = Data(FileReply.content.reversed())
        let changed = Source(content: other, fields: ["ETag: \"2\""], most: 12_000, ignoresCondition: true)
        let server = try server(at: [], Source(cut: 20_000), Source(most: 12_000), changed)
        try await fail(server)
        #expect(try await SimpleNetworking(of: server).download(for: request, to: file).statusCode == 200)
        #expect(content == other)
    }

    @Test
    func aPartThatIsCutShortIsContinuedByTheNextDownload() async throws {
        let server = try server(at: [], Source(cut: 20_000), Source(most: 12_000), Source(cut: 5_000), Source())
        try await fail(server)
        try await fail(server)
        #expect(content == nil && names == ["film.mp4.partial", "film.mp4.partial.json"])
        try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(content == FileReply.content)
        let expected = [nil, "bytes=20000-", "bytes=32000-", "bytes=37000-"]
        #expect(contentRanges(server, at: "/film.mp4") == expected)
    }

    @Test
    func aPartWithLessThanItsRangeIsAnErrorAndNoFile() async throws {
        let server = try server(at: [], Source(cut: 20_000), Source(most: 12_000, missing: 1))
        try await fail(server)
        try await fail(server)
        #expect(content == nil)
    }

    @Test(arguments: [
        ["Content-Type: multipart/byteranges; boundary=x"], ["Content-Range: bytes 0-49999/50000"],
        ["Content-Range: bytes 20001-49999/50000"], ["Content-Range: bytes 20000-49999/20000"],
        ["Content-Range: items 20000-49999/50000"],
    ])
    func aPartThatCanNotContinueTheFileIsDropped(fields: [String]) async throws {
        let isFirst = Locked(true)
        let server = try RawServer { request in
            let wasFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard request[header: "Range"] != nil else {
                return Source(cut: wasFirst ? 20_000 : nil).reply(to: request)
            }
            let lines = ["HTTP/1.1 206 Part", "ETag: \"1\"", "Content-Length: 30000"] + fields
            let part = Data(FileReply.content.suffix(30_000))
            return RawServer.Reply([.send(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)), .content(part)])
        }
        try await fail(server)
        #expect(try await SimpleNetworking(of: server).download(for: request, to: file).statusCode == 200)
        #expect(content == FileReply.content && names == ["film.mp4"])
    }
}
