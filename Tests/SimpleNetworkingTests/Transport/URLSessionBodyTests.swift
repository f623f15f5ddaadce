import Foundation
import Testing

@testable import SimpleNetworking

@Suite("URLSessionTransport sends content", .timeLimit(.minutes(1)))
struct URLSessionBodyTests {
    @Test(arguments: URLSessionDriving.allCases)
    func aFileArrivesWithItsLength(driving: URLSessionDriving) async throws {
        let server = try RawServer { .mirror($0) }
        let file = try FilledFile(Data(repeating: 0x62, count: 300_000))
        let head = RequestHead(method: .put, url: server.url())
        let response = try await driving.transport().send(TransportRequest(head: head, body: .file(file.url)))
        #expect(response.body == Data(repeating: 0x62, count: 300_000))
        #expect(server.requests.first?[header: "Content-Length"] == "300000")
        #expect(response.metrics.bytesSent == 300_000)
    }

    @Test(arguments: URLSessionDriving.allCases)
    func anEmptyFileArrives(driving: URLSessionDriving) async throws {
        let server = try RawServer { .mirror($0) }
        let file = try FilledFile(Data())
        let head = RequestHead(method: .put, url: server.url())
        _ = try await driving.transport().send(TransportRequest(head: head, body: .file(file.url)))
        #expect(server.requests.first?.body.count == 0)
    }

    @Test(arguments: URLSessionDriving.allCases, ["/no/such/file", "/", NSTemporaryDirectory()])
    func aFileThatCannotBeReadIsNamed(driving: URLSessionDriving, path: String) async throws {
        let server = try RawServer { .mirror($0) }
        let head = RequestHead(method: .put, url: server.url())
        let request = TransportRequest(head: head, body: .file(URL(fileURLWithPath: path)))
        let error = await #expect(throws: NetworkFailure.self) { try await driving.transport().send(request) }
        #expect(error?.kind == .unreadableBody)
        #expect(server.log.opened == 0)
    }

    @Test(arguments: URLSessionDriving.allCases, [nil, 300_000])
    func aStreamIsMadeAnewForEachRequest(driving: URLSessionDriving, length: Int?) async throws {
        let server = try RawServer { .mirror($0) }
        let made = Locked(0)
        let body = RequestBody.stream(length: length) {
            made.withLock { $0 += 1 }
            return InputStream(data: Data(repeating: 0x63, count: 300_000))
        }
        let transport = driving.transport()
        for _ in 0..<2 {
            let head = RequestHead(method: .post, url: server.url(), headers: ["Content-Length": "300000"])
            let response = try await transport.send(TransportRequest(head: head, body: body))
            #expect(response.body.count == 300_000)
        }
        #expect(made.withLock { $0 } == 2)
        let framing = server.requests.map { [$0[header: "Content-Length"], $0[header: "Transfer-Encoding"]] }
        #expect(framing.allSatisfy { $0.compactMap { $0 }.count == 1 }, "never both")
    }

    @Test(arguments: URLSessionDriving.allCases)
    func aStreamThatCannotBeMadeIsUnreadable(driving: URLSessionDriving) async throws {
        let server = try RawServer { .mirror($0) }
        let head = RequestHead(method: .post, url: server.url())
        let request = TransportRequest(head: head, body: .stream(length: nil) { nil })
        let error = await #expect(throws: NetworkFailure.self) { try await driving.transport().send(request) }
        #expect(error?.kind == .unreadableBody)
    }

    @Test(arguments: URLSessionDriving.allCases, [1, 100, 1_000_000])
    func contentIsWholeOrAnErrorWhenTheServerDropsAReusedConnection(driving: URLSessionDriving, size: Int) async throws
    {
        let server = try RawServer { .closedIfReused($0, else: .mirror($0)) }
        let transport = driving.transport()
        let content = Data(repeating: 0x64, count: size)
        for _ in 0..<10 {
            let head = RequestHead(method: .post, url: server.url())
            do {
                let request = TransportRequest(head: head, body: .data(content))
                let response = try await withinSeconds(30) { try await transport.send(request) }
                #expect(response.body == content)
            } catch let failure as NetworkFailure {
                #expect(failure.kind == .connectionLost)
            }
        }
        #expect(server.requests.allSatisfy { $0.body == content })
    }
}

/// A file that goes with its last reference.
final class FilledFile: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init(_ content: Data) throws { try content.write(to: url) }

    deinit { try? FileManager.default.removeItem(at: url) }
}
