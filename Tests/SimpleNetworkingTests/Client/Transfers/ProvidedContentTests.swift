import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// The content of `succeed(with:)` reaches the file or the reader of the request, before success is reported.
@Suite(.timeLimit(.minutes(5)))
struct ProvidedContentTests {
    private let folder = ScratchFolder()
    private let file: URL

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
    }

    private var content: String? { try? String(contentsOf: file, encoding: .utf8) }
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path))?.sorted() ?? []
    }

    private func client(
        _ response: StubResponse,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> SimpleNetworking { SimpleNetworking(over: StubTransport().on("/x", response), configure) }

    /// A request whose status handler provides a response.
    private func request(
        _ status: Int = 404,
        _ text: String = "given",
        headers: HTTPHeaders = [:],
        givenStatus: Int = 200
    ) -> SimpleRequest {
        SimpleNetworking.get("/x").on(isolation: nil, httpStatus: status) { request, response in
            let given = SimpleResponse(
                request: response.request,
                httpStatus: givenStatus,
                headers: headers,
                data: Data(text.utf8)
            )
            request.succeed(with: given)
            return false
        }
    }

    // MARK: - Files

    @Test(arguments: [false, true])
    func theFileOfADownloadIsThereBeforeSuccessHandlersRun(hadFile: Bool) async throws {
        if hadFile { try Data("old".utf8).write(to: file) }
        let seen = Recorder<String?>()
        let request = request().on(isolation: nil, success: URL.self) {
            seen.add(try? String(contentsOf: $0, encoding: .utf8))
        }
        let response = try await client(.status(404)).download(for: request, to: file)
        #expect(response.statusCode == 200 && response.data.isEmpty)
        #expect(seen.elements == ["given"] && content == "given" && names == ["film.mp4"])
    }

    @Test(arguments: [404, 202])
    func theResponseItselfMayBeTheContent(status: Int) async throws {
        let request = SimpleNetworking.get("/x").on(isolation: nil, httpStatus: status) { request, response in
            request.succeed(with: response)
            return false
        }
        try await client(.text("itself", status: status)).download(for: request, to: file)
        #expect(content == "itself" && names == ["film.mp4"])
    }

    @Test
    func contentProvidedForALostConnectionIsWritten() async throws {
        let request = SimpleNetworking.get("/x").on(
            isolation: nil,
            noResponse: { request, error in
                request.succeed(with: SimpleResponse(request: .get, data: Data("stored".utf8)))
                return false
            }
        )
        let cut = StubResponse.text("interrupted", headers: ["ETag": "\"1\""]).cut(after: 4)
        try await client(cut).download(for: request, to: file)
        #expect(content == "stored" && names == ["film.mp4"])
    }

    @Test
    func contentProvidedDuringTheTransferTakesItsPlace() async throws {
        let gate = Gate()
        let stub = StubTransport().on("/x", .replies(.pieces("on its way", .gate(gate), "and more"), .text("next")))
        let client = SimpleNetworking(over: stub)
        let request = client.get("/x") { $0.download(to: file) }
        await gate.arrivals(1)
        request.succeed(with: SimpleResponse(request: .get, data: Data("given".utf8)))
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(content == "given" && names == ["film.mp4"])
        try await client.download(for: SimpleNetworking.get("/x"), to: file)
        #expect(content == "next")
    }

    /// A client that responds to requests itself, and also passes them on.
    private final class Offline: SimpleNetworking, @unchecked Sendable {
        override func execute(request: SimpleRequest) {
            request.succeed(with: SimpleResponse(request: .get, data: Data("offline".utf8)))
            super.execute(request: request)
        }
    }

    @Test
    func contentProvidedBeforeTheRequestIsSentIsWrittenAndNothingIsSent() async throws {
        let stub = StubTransport().on("/x", .text("online"))
        try await Offline(over: stub).download(for: SimpleNetworking.get("/x"), to: file)
        #expect(content == "offline" && names == ["film.mp4"] && stub.requests.isEmpty)
    }

    /// Another request has written the file, or another file.
    @Test(arguments: [true, false])
    func theResponseOfAnotherDownloadCountsIfItsFileIsThere(isSameFile: Bool) async throws {
        let stub = StubTransport().on("/x", .status(404)).on("/y", .text("fallback"))
        let client = SimpleNetworking(over: stub)
        let other = isSameFile ? file : folder.url.appendingPathComponent("other")
        let request = SimpleNetworking.get("/x").on(isolation: nil, httpStatus: 404) { request, _ in
            client.get("/y") {
                $0.download(to: other).on(isolation: nil, success: { request.succeed(with: $0) })
            }
            return false
        }
        let result = await Result { try await client.download(for: request, to: file) }
        #expect((try? result.get()) != nil ? isSameFile : !isSameFile)
        #expect(content == (isSameFile ? "fallback" : nil))
    }

    @Test
    func aFileThatCanNotBeWrittenIsTheFailure() async throws {
        let file = folder.url.appendingPathComponent("missing/film.mp4")
        let request = request().on(isolation: nil, success: URL.self) { _ in Issue.record("it is no success") }
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client(.status(404)).download(for: request, to: file)
        }
        guard case .failed? = error else { throw Surprise("\(String(describing: error))") }
    }

    @Test(arguments: [false, true])
    func aProvided304LeavesACurrentFileAndIsNoSuccessWithout(hasFile: Bool) async throws {
        if hasFile { try Data("old".utf8).write(to: file) }
        let request = SimpleNetworking.get("/x").header("If-None-Match", "\"1\"")
            .on(isolation: nil, httpStatus: 304) { request, response in
                request.succeed(with: response)
                return false
            }
        let result = await Result { try await client(.status(304)).download(for: request, to: file) }
        #expect((try? result.get()).map(\.statusCode) == (hasFile ? 304 : nil))
        #expect(content == (hasFile ? "old" : nil))
    }

    /// Its content wasn't received.
    @Test
    func aResponseOfARefusedTypeIsNoSuccess() async throws {
        let request = SimpleNetworking.get("/x").acceptable(types: [.json])
            .on(isolation: nil, httpStatus: 200) { request, response in
                request.succeed(with: response)
                return false
            }
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client(.text("a page")).download(for: request, to: file)
        }
        guard case .unacceptableContentType? = error else { throw Surprise("\(String(describing: error))") }
        #expect(names == [])
    }

    @Test
    func anAcceptedStatusIsWrittenOnlyAfterItsHandler() async throws {
        try Data("old".utf8).write(to: file)
        let client = client(.text("gone", status: 410)) { $0.acceptableStatuses = [200, 410] }
        let refused = SimpleNetworking.get("/x").on(isolation: nil, httpStatus: 410) { request, _ in
            request.fail(Surprise("no"))
            return false
        }
        await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: refused, to: file) }
        #expect(content == "old" && names == ["film.mp4"])
        try await client.download(for: SimpleNetworking.get("/x"), to: file)
        #expect(content == "gone" && names == ["film.mp4"])
    }

    // MARK: - Streams

    private func all(
        _ request: SimpleRequest,
        _ response: StubResponse
    ) async -> (elements: [Data], error: (any Error)?) {
        let pieces = await client(response).bytes(for: request).all()
        return (pieces.elements, pieces.error)
    }

    @Test
    func aStreamHasTheProvidedHeadAndContent() async throws {
        var pieces = client(.status(404)).bytes(for: request(headers: ["X-Given": "1"])).makeAsyncIterator()
        #expect(try await pieces.head()?.headers["X-Given"] == "1")
        #expect(try await pieces.next() == Data("given".utf8))
        #expect(try await pieces.next() == nil)
        #expect(await client(.status(404)).lines(for: request(404, "a\nb")).all().elements == ["a", "b"])
    }

    @Test
    func providedContentOfAnotherTypeIsNoEventStream() async throws {
        let text = "data: a\n\n"
        let events = request(404, text, headers: ["Content-Type": "text/event-stream"])
        #expect(await client(.status(404)).events(for: events).all().elements.map(\.data) == ["a"])
        let other = await client(.status(404)).events(for: request(404, text)).all()
        #expect(other.elements.isEmpty && other.error != nil)
    }

    @Test(arguments: ["more", ""])
    func contentIsNotProvidedToAStreamThatHasBegunButNoContentEndsIt(text: String) async throws {
        let request = SimpleNetworking.get("/x").on(
            isolation: nil,
            noResponse: { request, _ in
                request.succeed(with: SimpleResponse(request: .get, data: Data(text.utf8)))
                return false
            }
        )
        let pieces = await all(request, .text("interrupted").cut(after: 5))
        #expect(pieces.elements == [Data("inter".utf8)])
        if text.isEmpty {
            #expect(pieces.error == nil)
        } else {
            guard case SimpleNetworkingError.invalidRequest(let reason, _)? = pieces.error else {
                throw Surprise("\(String(describing: pieces.error))")
            }
            #expect(reason.contains("handed over already"))
        }
    }

    @Test
    func aReaderThatStopsEndsTheRequest() async throws {
        let ends = Recorder<Bool>()
        let request = request().on(isolation: nil, completion: { ends.add($0.value != nil) })
        do {
            var pieces = client(.status(404)).bytes(for: request).makeAsyncIterator()
            #expect(try await pieces.head()?.httpStatus == 200)
        }
        try await eventually { ends.elements.count == 1 }
    }
}

extension RequestHead {
    fileprivate static let get = RequestHead(method: .get, url: URL(fileURLWithPath: "/"))
}
