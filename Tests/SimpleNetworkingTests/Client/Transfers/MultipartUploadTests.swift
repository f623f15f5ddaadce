import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingForms

/// Multipart content that is read while it is sent, over sockets.
@Suite(.timeLimit(.minutes(5)))
struct MultipartUploadTests {
    private static let film = Data((0..<1_500_000).map { UInt8($0 % 251) })
    private static let end = Data("\r\n--B--\r\n".utf8)

    /// A form with a stream, and how often the stream was opened.
    private static func form(length: Int?, _ opened: Locked<Int> = Locked(0)) -> Multipart {
        Multipart(boundary: "B").field("title", "Sunset").stream("film", length: length, headers: ["Content-ID": "7"]) {
            opened.withLock { $0 += 1 }
            return InputStream(data: film)
        }
    }

    /// Whether content ends with the stream's part.
    private static func isWhole(_ content: Data) -> Bool {
        let head = Data("Content-ID: 7\r\n\r\n".utf8)
        return content.starts(with: Data("--B\r\n".utf8)) && content.suffix(film.count + end.count) == film + end
            && content.range(of: head)?.upperBound == content.count - film.count - end.count
    }

    @Test(arguments: Engine.allCases, [1_500_000, nil])
    func aStreamArrivesCompleteWithItsLengthIfThatIsKnown(engine: Engine, length: Int?) async throws {
        let server = try RawServer { .mirror($0) }
        let end = try await engine.client(server).post("/films") { $0.body(multipart: Self.form(length: length)) }
            .ended()
        let content = try #require(end.value?.data)
        let isWhole = Self.isWhole(content)
        #expect(isWhole)
        // URLSession's content is in a file by then.
        let isCounted = length != nil || Engine.sessions.contains(engine)
        #expect(server.requests.last?[header: "Content-Length"] == (isCounted ? "\(content.count)" : nil))
        #expect(server.requests.last?[header: "Transfer-Encoding"] == (isCounted ? nil : "chunked"))
        #expect(server.requests.last?[header: "Content-Type"] == "multipart/form-data; boundary=B")
    }

    @Test(arguments: Engine.allCases)
    func aRedirectAndARetrySendItAgain(engine: Engine) async throws {
        let server = try RawServer { request in
            switch request.path {
            case "/old": .redirect(to: "/new", status: 307)
            case "/new": .redirect(to: "/films", status: 308)
            default: .mirror(request)
            }
        }
        let opened = Locked(0)
        let sends = Locked(0)
        let end = try await engine.client(server).post("/old") { request in
            request.body(multipart: Self.form(length: nil, opened)).on(httpStatus: 200) { request, _ in
                guard sends.next() == 1 else { return true }
                request.retry()
                return false
            }
        }
        .ended()
        let isWhole = try Self.isWhole(#require(end.value?.data))
        #expect(isWhole && opened.withLock { $0 } == 6)
    }

    @Test(arguments: Engine.allCases, [3_000_000, 1_000])
    func aStreamOfAnotherLengthEndsTheRequest(engine: Engine, length: Int) async throws {
        let server = try RawServer { .mirror($0) }
        let end = try await engine.client(server).post("/films") { $0.body(multipart: Self.form(length: length)) }
            .ended()
        guard case .networkingError(let failure, _)? = end.error else { throw Surprise("\(end)") }
        #expect(failure.kind == .unreadableBody && failure.detail?.contains("part “film” has") == true)
    }

    @Test
    func aFileOfAnySizeIsNotReadBeforeTheRequestIsSent() async throws {
        let file = try ScratchFile(Data())
        let handle = try FileHandle(forWritingTo: file.url)
        // Sparse, so that only reading it would take time and memory.
        try handle.truncate(atOffset: 1 << 40)
        try handle.close()
        let body = try Multipart(boundary: "B").file("disk", at: file.url).encoded()
        guard case .chunks(let length?, _) = body else { throw Surprise("\(body)") }
        #expect(length > 1 << 40)
    }
}
