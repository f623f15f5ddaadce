import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// Uploads over sockets whose server cuts the connections at random.
///
/// Those over libcurl wait for 100, so that they have read the interim response with the upload's URL before the
/// connection is cut: a reset can lose what arrived before it.
@Suite(.timeLimit(.minutes(10)))
struct UploadStormTests {
    private func client(_ server: UploadServer, _ engine: Engine) throws -> SimpleNetworking {
        let transport = try engine.transport()
        return SimpleNetworking(baseURL: server.url) {
            $0.transport = transport
            $0.logger = .quiet
            $0.retryPolicy = .withoutDelay
        }
    }

    #if canImport(CLibcurl) && os(Linux)
        /// Of every kind of body and each draft, many at once.
        @Test(arguments: [UploadDraft.interop3, .interop5, .interop6], [true, false])
        func everyUploadArrivesWholeAndOnce(draft: UploadDraft, isFile: Bool) async throws {
            let count = Storm.size(20, full: 200)
            var rules = UploadServer.Rules(length: 1_000_000, seed: 7)
            rules.version = draft.version
            let server = try UploadServer(rules)
            let client = try client(server, .curl)
            let content = UploadServer.content(rules.length)
            let file = try ScratchFile(content)
            let ends = Recorder<Int>()
            let requests = (0..<count).map { _ in
                client.post("/films") { request in
                    let filled =
                        isFile
                        ? request.body(file: file.url, contentType: .octetStream)
                        : request.body(data: content, contentType: .octetStream)
                    return filled.resumesUpload(draft: draft).header("Expect", "100-continue")
                        .on(completion: { result in ends.add((try? result.get().httpStatus) ?? 0) })
                }
            }
            for request in requests { #expect(await request.ended().value?.httpStatus == 201) }
            #expect(ends.elements == Array(repeating: 201, count: count))
            expect(server.log, count)
            #expect(server.log.cuts > count)
        }

        #if compiler(>=6.2)
            // In a process of its own, where nothing else takes memory.
            @Test
            func uploadsOfTenMegabytesTakeNoMemory() async throws {
                let observed = [\ExitTest.Result.standardOutputContent]
                let result = await #expect(processExitsWith: .success, observing: observed) {
                    let tests = UploadStormTests()
                    let count = Storm.size(8, full: 1000)
                    let rules = UploadServer.Rules(length: 10_000_000, seed: 11)
                    let server = try UploadServer(rules)
                    let client = try tests.client(server, .curl)
                    let file = try ScratchFile(UploadServer.content(rules.length))
                    let before = ProcessUsage.peak
                    try await tests.send(count, atOnce: 4, over: client) {
                        SimpleNetworking.post("/films").body(file: file.url, contentType: .octetStream)
                            .resumesUpload().header("Expect", "100-continue")
                    }
                    tests.expect(server.log, count)
                    let grown = ProcessUsage.peak - before
                    print("\(count) uploads of 10 MB, \(server.log.cuts) cuts, \(grown >> 20) MiB more memory")
                    // Four uploads at once would take 40 MB, if their content was in memory.
                    #expect(Sanitizer.isOn || grown < 32 << 20)
                }
                if Storm.isFull { print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)) }
            }
        #endif

        private func send(
            _ count: Int,
            atOnce width: Int,
            over client: SimpleNetworking,
            _ make: @escaping @Sendable () -> SimpleRequest
        ) async throws {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<count {
                    if number >= width { #expect(try await group.next() == 201) }
                    group.addTask { try await client.send(make()).httpStatus }
                }
                for try await status in group { #expect(status == 201) }
            }
        }
    #endif

    @Test(arguments: Engine.sessions.sorted { $0.rawValue < $1.rawValue }, [true, false])
    func urlSessionResumesOnceAResponseHasNamedTheURL(engine: Engine, isFile: Bool) async throws {
        var rules = UploadServer.Rules(length: 300_000, seed: 3)
        rules.refusesFirst = true
        let server = try UploadServer(rules)
        let content = UploadServer.content(rules.length)
        let file = try ScratchFile(content)
        let client = try client(server, engine)
        for _ in 0..<4 {
            let request = SimpleNetworking.post("/films")
            _ =
                isFile
                ? request.body(file: file.url, contentType: .octetStream)
                : request.body(data: content, contentType: .octetStream)
            #expect(try await client.send(request.resumesUpload()).httpStatus == 201)
        }
        expect(server.log, 4)
    }

    /// A session that reports interim responses resumes after the connection was cut, too.
    ///
    /// A reset may come before the interim response was read; then the request, which is idempotent, begins another
    /// upload.
    @Test(arguments: [true, false])
    func urlSessionResumesOnceAnInterimResponseHasNamedTheURL(isFile: Bool) async throws {
        let server = try UploadServer(UploadServer.Rules(length: 1_000_000, seed: 5))
        let content = UploadServer.content(1_000_000)
        let file = try ScratchFile(content)
        let client = try client(server, .ownSession)
        for _ in 0..<10 {
            let request = SimpleNetworking.put("/films")
            _ =
                isFile
                ? request.body(file: file.url, contentType: .octetStream)
                : request.body(data: content, contentType: .octetStream)
            request.resumesUpload().retry(RetryPolicy(attempts: 20, backoff: .constant(0)))
            #expect(try await client.send(request).httpStatus == 201, "\(request.trace)")
        }
        let uploads = server.log.uploads
        let completed = uploads.filter { $0.completions > 0 }
        #expect(completed.count == 10 && completed.allSatisfy { $0.isIntact && $0.completions == 1 })
        let resumptions = server.log.cuts - (uploads.count - 10)
        #expect(resumptions > 10)
    }

    private func expect(_ log: UploadServer.Log, _ count: Int) {
        #expect(log.uploads.count == count)
        #expect(log.uploads.allSatisfy { $0.isIntact && $0.completions == 1 })
    }
}
