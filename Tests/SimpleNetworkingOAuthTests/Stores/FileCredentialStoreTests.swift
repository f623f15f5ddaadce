import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

@Suite(.timeLimit(.minutes(5)))
struct FileCredentialStoreTests {
    private let folder: ScratchFolder
    private let store: FileCredentialStore

    init() throws {
        folder = try ScratchFolder()
        store = FileCredentialStore(folder.file)
    }

    private func storeError(_ work: () async throws -> some Any) async -> CredentialStoreError? {
        do {
            _ = try await work()
            return nil
        } catch {
            return error as? CredentialStoreError
        }
    }

    @Test
    func whatIsSavedIsLoadedUntilItIsDeleted() async throws {
        #expect(try await store.load() == nil)
        try await store.save(Example.fresh("a"))
        #expect(try await store.load() == Example.fresh("a"))
        try await store.save(Example.fresh("b"))
        #expect(try await FileCredentialStore(folder.file).load() == Example.fresh("b"))
        try await store.delete()
        #expect(try await store.load() == nil)
        try await store.delete()
        #expect(folder.names.isEmpty)
    }

    @Test
    func fileAndFolderAreTheUsersAlone() async throws {
        let file = folder.url.appendingPathComponent("a/b/token.json")
        let old = umask(0)
        defer { umask(old) }
        try await FileCredentialStore(file).save(Example.fresh())
        #expect(ScratchFolder.mode(of: file) == 0o600)
        #expect(ScratchFolder.mode(of: file.deletingLastPathComponent()) == 0o700)
        #expect(ScratchFolder.mode(of: folder.url.appendingPathComponent("a")) == 0o700)
    }

    @Test
    func theFileIsTheUsersAloneBeforeAnythingIsWritten() throws {
        let old = umask(0)
        defer { umask(old) }
        let file = PrivateFile(path: folder.file.path)
        let descriptor = try file.create(folder.file.path)
        defer { close(descriptor) }
        #expect(ScratchFolder.mode(of: folder.file) == 0o600)
        // It is a new file: no file or link that another user has put there is opened.
        #expect(throws: CredentialStoreError.self) { try file.create(folder.file.path) }
    }

    @Test(arguments: [0o600, 0o400, 0o700])
    func replacingKeepsTheMode(mode: Int) async throws {
        try await store.save(Example.fresh("a"))
        try ScratchFolder.set(mode, of: folder.file)
        try await store.save(Example.fresh("b"))
        #expect(ScratchFolder.mode(of: folder.file) == mode)
        #expect(try await store.load() == Example.fresh("b"))
        #expect(folder.names == ["token.json"])
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o602, 0o610, 0o601, 0o777])
    func aFileOfOthersConcernIsRefused(mode: Int) async throws {
        try await store.save(Example.fresh("a"))
        try ScratchFolder.set(mode, of: folder.file)
        let expected = CredentialStoreError.exposed(path: folder.file.path, mode: mode)
        #expect(await storeError { try await store.load() } == expected)
        #expect(await storeError { try await store.save(Example.fresh("b")) } == expected)
        #expect(expected.localizedDescription.contains("mode \(String(mode, radix: 8))"))
        #expect(expected.localizedDescription.contains("chmod 600"))
        #expect(ScratchFolder.mode(of: folder.file) == mode)
        try ScratchFolder.set(0o600, of: folder.file)
        #expect(try await store.load() == Example.fresh("a"))
    }

    @Test
    func aSymbolicLinkIsRefused() async throws {
        let target = folder.url.appendingPathComponent("target.json")
        try await FileCredentialStore(target).save(Example.fresh("a"))
        try FileManager.default.createSymbolicLink(at: folder.file, withDestinationURL: target)
        let expected = CredentialStoreError.notAFile(path: folder.file.path)
        #expect(await storeError { try await store.load() } == expected)
        #expect(await storeError { try await store.save(Example.fresh("b")) } == expected)
        #expect(await storeError { try await store.delete() } == expected)
        #expect(try await FileCredentialStore(target).load() == Example.fresh("a"))
    }

    @Test
    func aLockThatIsASymbolicLinkIsRefused() async throws {
        let target = folder.url.appendingPathComponent("target")
        try FileManager.default.createSymbolicLink(atPath: folder.file.path + ".lock", withDestinationPath: target.path)
        guard case .system("open", _, ELOOP)? = await storeError({ try await store.exclusively {} }) else {
            Issue.record("the link was followed")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test
    func whatIsNoFileIsRefused() async throws {
        try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
        #expect(await storeError { try await store.load() } == .notAFile(path: folder.file.path))
        try FileManager.default.removeItem(at: folder.file)
        #expect(mkfifo(folder.file.path, 0o600) == 0)
        #expect(await storeError { try await store.load() } == .notAFile(path: folder.file.path))
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"accessToken":"s3cret"}"#, "s3cret\u{0}"])
    func aCorruptFileIsAnErrorAndNothingIsLost(content: String) async throws {
        try await store.save(Example.fresh())
        try Data(content.utf8).write(to: folder.file)
        try ScratchFolder.set(0o600, of: folder.file)
        let error = await storeError { try await store.load() }
        #expect(error == .corrupt(path: folder.file.path))
        #expect(error?.localizedDescription.contains("s3cret") == false)
        #expect(try Data(contentsOf: folder.file) == Data(content.utf8))
        try await store.save(Example.fresh("new"))
        #expect(try await store.load() == Example.fresh("new"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file.path + ".corrupt")) == Data(content.utf8))
    }

    @Test
    func aHugeFileIsNotReadAndIsSetAside() async throws {
        try Data(count: 9 << 20).write(to: folder.file)
        try ScratchFolder.set(0o600, of: folder.file)
        #expect(await storeError { try await store.load() } == .corrupt(path: folder.file.path))
        try await store.save(Example.fresh("new"))
        #expect(try await store.load() == Example.fresh("new"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file.path + ".corrupt")).count == 9 << 20)
    }

    /// Of a response of 1 MiB, JSON may make six times as much.
    @Test
    func theLargestTokenIsLoadedAgain() async throws {
        let token = OAuthToken(accessToken: Secret(String(repeating: "\u{1}", count: 1 << 20)))
        try await store.save(token)
        #expect(try await store.load() == token)
    }

    @Test
    func aPlaceThatCannotBeWrittenIsAnErrorOfTheSystem() async throws {
        try Data().write(to: folder.file)
        let store = FileCredentialStore(folder.file.appendingPathComponent("below/token.json"))
        let error = await storeError { try await store.save(Example.fresh()) }
        guard case .system(_, _, ENOTDIR)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.localizedDescription.contains("Not a directory") == true)
    }

    @Test
    func leftoversOfAKilledProgramGoLater() async throws {
        try await store.save(Example.fresh())
        let leftovers = [".token.json.new-old", ".token.json.new-young", ".other.json.new-old"]
        for name in leftovers { try Data("x".utf8).write(to: folder.url.appendingPathComponent(name)) }
        for name in leftovers where name.hasSuffix("old") {
            let past = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -3600)]
            try FileManager.default.setAttributes(past, ofItemAtPath: folder.url.appendingPathComponent(name).path)
        }
        try await store.save(Example.fresh("b"))
        #expect(folder.names == [".other.json.new-old", ".token.json.new-young", "token.json"])
        // What is signed out must be nowhere on the disk.
        try await store.delete()
        #expect(folder.names == [".other.json.new-old"])
    }

    @Test
    func secondProgramWaitsForTheLock() async throws {
        let gate = Gate()
        let recorder = Recorder<Int>()
        let (store, file) = (store, folder.file)
        async let first: Void = store.exclusively {
            recorder.add(1)
            try await gate.wait()
            recorder.add(2)
        }
        await gate.arrivals(1)
        // Another session of the same program has a store of its own.
        let clock = VirtualClock()
        async let second: Void = FileCredentialStore(file, clock: clock).exclusively { recorder.add(3) }
        await clock.alarms(1)
        #expect(recorder.elements == [1])
        gate.open()
        try await first
        while clock.alarms.isEmpty { await Task.yield() }
        clock.advance(by: 0.02)
        try await second
        #expect(recorder.elements == [1, 2, 3])
    }

    @Test
    func waitingEndsInTimeAndByCancelling() async throws {
        let gate = Gate()
        let (store, file) = (store, folder.file)
        async let first: Void = store.exclusively { try await gate.wait() }
        await gate.arrivals(1)
        let clock = VirtualClock()
        let waiting = Task { try await FileCredentialStore(file, lockTimeout: 5, clock: clock).exclusively {} }
        await clock.alarms(1)
        clock.advance(by: 5)
        await #expect(throws: CredentialStoreError.locked(path: file.path + ".lock", 5)) { try await waiting.value }
        let cancelled = Task { try await FileCredentialStore(file, clock: clock).exclusively {} }
        await clock.alarms(1)
        cancelled.cancel()
        clock.advance(by: 0.02)
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        gate.open()
        try await first
    }

    @Test
    func anErrorLetsTheNextOneIn() async throws {
        await #expect(throws: CancellationError.self) {
            try await store.exclusively { throw CancellationError() }
        }
        #expect(try await store.exclusively { 1 } == 1)
        #expect(ScratchFolder.mode(of: URL(fileURLWithPath: folder.file.path + ".lock")) == 0o600)
    }
}
