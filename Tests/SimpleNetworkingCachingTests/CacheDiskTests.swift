import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// The files in the cache's folder, including damaged and removed ones.
@Suite(.timeLimit(.minutes(5)))
struct CacheDiskTests {
    private let folder = ScratchFolder()

    private func world(memoryLimit: Int = 0, diskLimit: Int = 20 << 20) -> CachedWorld {
        let world = CachedWorld(folder: folder.url, memoryLimit: memoryLimit, diskLimit: diskLimit)
        world.reply(["Cache-Control": "max-age=60", "X-Text": #"“Grüße”, "quoted" \ /"#, "Via": "a", "via": "b"])
        return world
    }

    @Test(arguments: [0, 4 << 20])
    func whatOneRunStoresTheNextOneFinds(memoryLimit: Int) async throws {
        let first = world(memoryLimit: memoryLimit)
        let stored = await first.send(.get, "/x", ["Authorization": "Bearer a"])
        #expect(await first.cache.size().disk > 0)
        let second = world(memoryLimit: memoryLimit)
        second.pass(7)
        let hit = await second.send(.get, "/x", ["Authorization": "Bearer a"])
        #expect(hit.end == .hit && hit.response?.text == "1")
        var expected = try #require(stored.response).headers
        expected["Age"] = "7"
        #expect(hit.response?.headers == expected)
        #expect(await second.end(.get, "/x", ["Authorization": "Bearer b"]) == .fetched)
        #expect(await second.end() == .fetched)
    }

    @Test
    func aNewerResponseReplacesTheFile() async throws {
        let first = world()
        await first.send()
        await first.send(.get, "/x", [:], .reload)
        #expect(await first.cache.size().disk > 0)
        #expect(try folder.files(".response").count == 1)
        #expect(await world().send().response?.text == "2")
    }

    @Test
    func onlyTheOwnerMayRead() async throws {
        let world = world()
        await world.send()
        _ = await world.cache.size()
        let files = try folder.files("")
        #expect(files.count == 2)
        for path in files.map(\.path) + [folder.url.path] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == (path == folder.url.path ? 0o700 : 0o600))
        }
    }

    @Test
    func aFolderThatIsWiderIsMadeNarrower() async throws {
        let wide: [FileAttributeKey: Any] = [.posixPermissions: 0o777]
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true, attributes: wide)
        await world().send()
        let mode = try FileManager.default.attributesOfItem(atPath: folder.url.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test(arguments: ["file", "/dev/null/x", "/proc/x"])
    func aFolderThatCannotBeUsedLeavesTheMemory(path: String) async throws {
        let file = try ScratchFile(Data())
        let url = path == "file" ? file.url : URL(fileURLWithPath: path)
        let world = CachedWorld(folder: url)
        world.reply(["Cache-Control": "max-age=60"])
        #expect(await world.end() == .fetched)
        #expect(await world.end() == .hit)
        let size = await world.cache.size()
        #expect(size.memory > 0 && size.disk == 0)
    }

    @Test
    func aFileCutShortAnywhereIsAMissAndIsRemoved() async throws {
        try await damaged { bytes in
            bytes.indices.map { Data(bytes[..<$0]) }
        }
    }

    @Test
    func aFileWithAnyByteChangedIsAMissAndIsRemoved() async throws {
        try await damaged { bytes in
            bytes.indices.map { index in
                var changed = bytes
                changed[index] ^= UInt8(1 << (index % 8))
                return changed
            }
        }
    }

    @Test
    func aFileThatHoldsMoreOrSomethingElseIsAMissAndIsRemoved() async throws {
        try await damaged { bytes in
            [
                bytes + [0], bytes + bytes, Data(), Data(repeating: 0, count: bytes.count),
                Data(repeating: 0xFF, count: bytes.count), Data("SNCACHE1".utf8) + Data(repeating: 0xFF, count: 24),
            ]
        }
    }

    private func damaged(_ damage: (Data) -> [Data]) async throws {
        let first = world()
        await first.send()
        #expect(await first.cache.size().disk > 0)
        let file = try #require(try folder.files(".response").first)
        let bytes = try Data(contentsOf: file)
        #expect(await world().end() == .hit)
        for changed in damage(bytes) {
            try changed.write(to: file)
            let second = world()
            #expect(await second.end(.get, "/x", [:], .onlyCached) == .notCached)
            #expect(try folder.files(".response").isEmpty)
            #expect(await second.cache.size().disk == 0)
        }
        try bytes.write(to: file)
        #expect(await world().end() == .hit)
    }

    @Test
    func aFileUnderAnothersNameIsAMiss() async throws {
        let first = world()
        await first.send(.get, "/x", ["Authorization": "Bearer a"])
        _ = await first.cache.size()
        let alice = try #require(try folder.files(".response").first)
        let secret = try Data(contentsOf: alice)
        await first.send(.get, "/x", ["Authorization": "Bearer b"])
        _ = await first.cache.size()
        for file in try folder.files(".response") { try secret.write(to: file) }
        let second = world()
        #expect(await second.end(.get, "/x", ["Authorization": "Bearer b"], .onlyCached) == .notCached)
        #expect(await second.end(.get, "/x", ["Authorization": "Bearer a"], .onlyCached) == .hit)
    }

    @Test
    func removedFilesAreMisses() async throws {
        let world = world()
        await world.send()
        _ = await world.cache.size()
        for file in try folder.files(".response") { try FileManager.default.removeItem(at: file) }
        #expect(await world.end() == .fetched)
        #expect(await world.end() == .hit)
        try FileManager.default.removeItem(at: folder.url)
        #expect(await world.end() == .fetched)
        #expect(await world.end() == .fetched)
    }

    @Test
    func whatOthersKeepInTheFolderIsLeftAlone() async throws {
        let world = world()
        await world.send()
        _ = await world.cache.size()
        let own = folder.url.appendingPathComponent("notes.txt")
        let odd = folder.url.appendingPathComponent("a-b-c.response")
        for file in [own, odd] { try Data("mine".utf8).write(to: file) }
        await world.cache.removeAll()
        #expect(try folder.files("").map(\.lastPathComponent).sorted() == ["a-b-c.response", "notes.txt", "salt"])
        #expect(await self.world().end() == .fetched)
    }

    @Test
    func halfWrittenFilesOfEarlierRunsAreRemovedAndYoungOnesLeft() async throws {
        let world = world()
        await world.send()
        _ = await world.cache.size()
        let old = folder.url.appendingPathComponent("unfinished-old")
        let young = folder.url.appendingPathComponent("unfinished-young")
        for file in [old, young] { try Data("x".utf8).write(to: file) }
        let yesterday: [FileAttributeKey: Any] = [.modificationDate: Date().addingTimeInterval(-86_400)]
        try FileManager.default.setAttributes(yesterday, ofItemAtPath: old.path)
        #expect(await self.world().end() == .hit)
        #expect(try folder.files("").map(\.lastPathComponent).filter { $0.hasPrefix("unf") } == ["unfinished-young"])
    }

    @Test
    func damagedSaltIsReplacedAndEveryLookupMisses() async throws {
        let first = world()
        await first.send()
        _ = await first.cache.size()
        try Data("short".utf8).write(to: folder.url.appendingPathComponent("salt"))
        let second = world()
        #expect(await second.end() == .fetched)
        #expect(await second.end() == .hit)
        #expect(await world().end() == .hit)
    }

    @Test
    func removedResponsesAreMissingInTheNextRunToo() async throws {
        let first = world(memoryLimit: 4 << 20)
        for path in ["/x", "/y", "/z"] { await first.send(.get, path) }
        await first.cache.remove(for: try #require(URL(string: "https://API.example.com/x")))
        await first.send(.post, "/y")
        #expect(try folder.files(".response").count == 1)
        let second = world(memoryLimit: 4 << 20)
        for path in ["/x", "/y", "/z"] { #expect(await second.end(.get, path) == (path == "/z" ? .hit : .fetched)) }
        await second.cache.removeAll()
        let size = await second.cache.size()
        #expect(try folder.files(".response").isEmpty && size == (0, 0))
        #expect(await second.end(.get, "/z") == .fetched)
    }
}
