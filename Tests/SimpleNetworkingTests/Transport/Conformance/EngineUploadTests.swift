import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("Every engine: content to send", .serialized, .timeLimit(.minutes(5)))
struct EngineUploadTests {
    static let sizes = [0, 1, 14, 64 << 10, (64 << 10) + 1, 5_000_000]

    @Test(arguments: Engine.allCases, sizes)
    func dataArrivesComplete(engine: Engine, size: Int) async throws {
        let server = try RawServer { .mirror($0) }
        let data = content(size)
        let transport = try engine.transport()
        for _ in 0..<2 { #expect(try await transport.get(server.url(), method: .post, body: .data(data)).data == data) }
        // A slice does not begin at zero.
        let slice = (Data([1, 2, 3]) + data).dropFirst(3)
        #expect(try await transport.get(server.url(), method: .put, body: .data(slice)).data == data)
    }

    @Test(arguments: Engine.allCases, sizes)
    func fileArrivesCompleteWithItsLength(engine: Engine, size: Int) async throws {
        let server = try RawServer { .mirror($0) }
        let file = try ScratchFile(content(size))
        let response = try await engine.transport().get(server.url(), method: .put, body: .file(file.url))
        #expect(response.data == content(size))
        #expect(response.metrics.bytesSent == size)
        #expect(server.requests.first?[header: "Content-Length"] == "\(size)")
    }

    @Test(arguments: Engine.allCases, sizes.flatMap { [(size: $0, hasLength: true), (size: $0, hasLength: false)] })
    func streamIsOpenedAgainForEachRequest(engine: Engine, kind: (size: Int, hasLength: Bool)) async throws {
        let server = try RawServer { .mirror($0) }
        let data = content(kind.size)
        let made = Locked(0)
        let body = RequestBody.stream(length: kind.hasLength ? data.count : nil) {
            made.withLock { $0 += 1 }
            return InputStream(data: data)
        }
        let transport = try engine.transport()
        for _ in 0..<2 { #expect(try await transport.get(server.url(), method: .post, body: body).data == data) }
        // What is known to be empty needs no stream.
        #expect(made.withLock { $0 } == 2 || data.isEmpty)
        for request in server.requests {
            #expect(request[header: "Content-Length"] == (kind.hasLength ? "\(data.count)" : nil))
            #expect(request[header: "Transfer-Encoding"] == (kind.hasLength ? nil : "chunked"))
        }
    }

    static let unreadable: [(name: String, body: RequestBody)] = [
        ("missing file", .file(URL(fileURLWithPath: "/does/not/exist"))),
        ("folder", .file(FileManager.default.temporaryDirectory)),
        ("root", .file(URL(fileURLWithPath: "/"))),
        ("no stream", .stream(length: nil, make: { nil })),
        ("no stream of a length", .stream(length: 5, make: { nil })),
    ]

    @Test(arguments: Engine.allCases, unreadable.indices)
    func contentThatCannotBeReadIsAnError(engine: Engine, index: Int) async throws {
        let server = try RawServer { .mirror($0) }
        let (name, body) = Self.unreadable[index]
        let transport = try engine.transport()
        let end = await transport.end(of: server.url()) {
            $0.method = .put
            $0.body = body
        }
        #expect(end == NetworkFailure.Kind.unreadableBody.rawValue, "\(name)")
        if case .file = body { #expect(server.log.opened == 0) }
        #expect(try await transport.get(server.url()).httpStatus == 200)
    }

    @Test(arguments: Engine.allCases, [1, 100, 1_000_000])
    func contentIsWholeOrAnErrorWhenTheServerDropsAReusedConnection(engine: Engine, size: Int) async throws {
        let server = try RawServer { .closedIfReused($0, else: .mirror($0)) }
        let transport = try engine.transport()
        let content = content(size)
        for _ in 0..<10 {
            do {
                let response = try await withinSeconds(120) {
                    try await transport.get(server.url(), method: .post, body: .data(content))
                }
                #expect(response.data == content)
            } catch let failure as NetworkFailure {
                #expect(failure.kind == .connectionLost)
            }
        }
        #expect(server.requests.allSatisfy { $0.body == content })
    }

    @Test(arguments: Engine.allCases)
    func aResponseBeforeTheContentIsSentEndsTheRequest(engine: Engine) async throws {
        let server = try RawServer { _ in .response(status: 413, body: "too much", end: .close) }
        let body = RequestBody.stream(length: nil) { InputStream(data: Data(repeating: 1, count: 100)) }
        #expect(try await engine.transport().get(server.url(), method: .post, body: body).httpStatus == 413)
    }

    private func content(_ size: Int) -> Data {
        let pattern = (0..<min(size, 100_003)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var data = Data(capacity: size)
        while data.count < size { data += pattern.prefix(size - data.count) }
        return data
    }
}
