import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Downloads whose server, or whose folder, can not be trusted.
@Suite(.timeLimit(.minutes(5)))
struct DownloadTrustTests {
    private let folder = ScratchFolder()
    private let file: URL
    private let partial: URL
    private let note: URL
    private let victim: URL
    private let request = SimpleNetworking.get("/film.mp4")

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
        partial = file.appendingPathExtension("partial")
        note = partial.appendingPathExtension("json")
        victim = folder.url.appendingPathComponent("victim")
    }

    private var content: Data? { try? Data(contentsOf: file) }
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path))?.sorted() ?? []
    }

    private func failure(_ server: RawServer, usesURLSession: Bool = false) async throws -> SimpleNetworkingError? {
        await #expect(throws: SimpleNetworkingError.self) {
            let client = SimpleNetworking(of: server) {
                if usesURLSession { $0.sessionDelegate = RecordingDelegate() }
            }
            try await client.download(for: request, to: file)
        }
    }

    // MARK: - Other names

    @Test(arguments: ["folder", "folder/sub/..", "link"])
    func twoRequestsDoNotWriteToOneFileByWhateverName(name: String) async throws {
        let real = folder.url.appendingPathComponent("folder")
        let sub = real.appendingPathComponent("sub")
        try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true)
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
        let gate = Gate()
        let server = StubTransport().on("/one", StubResponse.events(.text("11"), .gate(gate), .text("11")))
            .on("/two", .text("2222"))
        let client = SimpleNetworking(over: server, host: "a.test")
        let one = Task {
            try await client.download(for: SimpleNetworking.get("/one"), to: real.appendingPathComponent("f"))
        }
        await gate.arrivals(1)
        let other = URL(fileURLWithPath: folder.url.path + "/" + name + "/f")
        await #expect(throws: SimpleNetworkingError.self) {
            try await client.download(for: SimpleNetworking.get("/two"), to: other)
        }
        gate.open()
        _ = try await one.value
        #expect(try Data(contentsOf: real.appendingPathComponent("f")) == Data("data: 11\n\ndata: 11\n\n".utf8))
    }

    /// Such as a process of its own, or a name that differs only in case, where that names the same file.
    @Test
    func aDownloadIsNotCompletedWithAFileThatTookItsPlace() async throws {
        let gate = Gate()
        let server = StubTransport().on("*", StubResponse.events(.text("11"), .gate(gate), .text("11")))
        let client = SimpleNetworking(over: server, host: "a.test")
        let download = Task { try await client.download(for: request, to: file) }
        await gate.arrivals(1)
        try FileManager.default.removeItem(at: partial)
        try Data("other".utf8).write(to: partial)
        gate.open()
        await #expect(throws: SimpleNetworkingError.self) { try await download.value }
        #expect(content == nil)
    }

    // MARK: - Parts

    private static func part(_ range: String, _ text: String) -> RawServer.Reply {
        .response(status: 206, headers: ["Content-Range": range, "ETag": "\"1\""], body: text)
    }

    @Test(arguments: [false, true], ["bytes 7-9/1000", "bytes 0-2/1000", "bytes 0-2/3", "none"])
    func unrequestedPartialContentFailsAndWritesNoFile(usesURLSession: Bool, range: String) async throws {
        let server = try RawServer { _ in Self.part(range, "abc") }
        try Data("old".utf8).write(to: file)
        let error = try await failure(server, usesURLSession: usesURLSession)
        guard case .networkingError(let failure, _)? = error else { throw "\(String(describing: error))".asError }
        #expect(failure.kind == .malformedResponse)
        #expect(content == Data("old".utf8) && names == ["film.mp4"])
    }

    @Test(arguments: [
        ("bytes=7-9", "bytes 7-9/1000"), ("bytes=7-20", "bytes 7-9/10"), ("bytes=997-", "bytes 997-999/1000"),
        ("bytes=-3", "bytes 997-999/1000"), ("bytes=0-0, -3", "bytes 997-999/1000"), ("seconds=1-2", "seconds 1-2/3"),
    ])
    func requestedPartialContentIsWrittenToTheFile(requested: String, range: String) async throws {
        let server = try RawServer { _ in Self.part(range, "abc") }
        let request = SimpleNetworking.get("/film.mp4").header("Range", requested)
        let response = try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(response.statusCode == 206 && content == Data("abc".utf8) && names == ["film.mp4"])
    }

    @Test(arguments: [
        ("bytes=0-2", "bytes 7-9/1000"), ("bytes=7-8", "bytes 7-9/1000"), ("bytes=7-", "bytes 6-8/1000"),
        ("bytes=-3", "bytes 996-998/1000"), ("bytes=0-2", "none"),
    ])
    func partialContentOfAnotherRangeFailsAndWritesNoFile(requested: String, range: String) async throws {
        let server = try RawServer { _ in Self.part(range, "abc") }
        let request = SimpleNetworking.get("/film.mp4").header("Range", requested)
        await #expect(throws: SimpleNetworkingError.self) {
            try await SimpleNetworking(of: server).download(for: request, to: file)
        }
        #expect(names == [])
    }

    // MARK: - Files

    /// What another user with access to the folder puts there.
    enum Plant: CaseIterable, Sendable {
        case symbolicLink, hardLink, anotherFile, anotherUsersFile
        case linkedNote, anotherUsersNote, noteWithoutFile

        /// Only a superuser can give files away.
        static var possible: [Plant] {
            allCases.filter { geteuid() == 0 || ($0 != .anotherUsersFile && $0 != .anotherUsersNote) }
        }
    }

    @Test(arguments: Plant.possible)
    func aPartialFileThatIsNotOfTheClientsOwnMakingIsNotTrusted(plant: Plant) async throws {
        let server = try FileReply.serve(FileReply(cut: 20_000), FileReply())
        _ = try await failure(server)
        try put(plant)
        let before = try? Data(contentsOf: victim)
        try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(server.requests.last?[header: "Range"] == nil)
        #expect(content == FileReply.content && (try? Data(contentsOf: victim)) == before)
        #expect(Set(names) == (before == nil ? ["film.mp4"] : ["film.mp4", "victim"]))
        let type = try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
        #expect(type == .typeRegular)
    }

    private func put(_ plant: Plant) throws {
        let manager = FileManager.default
        switch plant {
        case .symbolicLink:
            try manager.moveItem(at: partial, to: victim)
            try manager.createSymbolicLink(at: partial, withDestinationURL: victim)
        case .hardLink: try manager.linkItem(at: partial, to: victim)
        case .anotherFile:
            let other = folder.url.appendingPathComponent("other")
            try Data(count: 20_000).write(to: other)
            #expect(rename(other.path, partial.path) == 0)
        case .anotherUsersFile: #expect(chown(partial.path, 65_534, 65_534) == 0)
        case .linkedNote:
            try manager.moveItem(at: note, to: victim)
            try manager.createSymbolicLink(at: note, withDestinationURL: victim)
        case .anotherUsersNote: #expect(chown(note.path, 65_534, 65_534) == 0)
        case .noteWithoutFile: try manager.removeItem(at: partial)
        }
    }

    @Test
    func aLinkThatIsThereBeforeAnyDownloadIsNotWrittenThrough() async throws {
        let server = try RawServer { _ in .response(headers: ["ETag": "\"1\""], body: "content") }
        try Data("precious".utf8).write(to: victim)
        for place in [partial, note] {
            try FileManager.default.createSymbolicLink(at: place, withDestinationURL: victim)
        }
        try await SimpleNetworking(of: server).download(for: request, to: file)
        #expect(content == Data("content".utf8) && names == ["film.mp4", "victim"])
        #expect(try Data(contentsOf: victim) == Data("precious".utf8))
    }

    @Test
    func aFolderInThePlaceOfThePartialFileStaysAndIsNamed() async throws {
        let server = try RawServer { _ in .response(headers: ["ETag": "\"1\""], body: "content") }
        let kept = partial.appendingPathComponent("kept")
        try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
        let error = try await failure(server)
        guard case .failed? = error else { throw "\(String(describing: error))".asError }
        #expect(error?.description.contains("film.mp4.partial") == true)
        #expect(FileManager.default.fileExists(atPath: kept.path) && names == ["film.mp4.partial"])
    }
}
