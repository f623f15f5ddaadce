import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// The limits of the cache, and what is evicted first.
@Suite(.timeLimit(.minutes(5)))
struct CacheLimitTests {
    private let folder = ScratchFolder()

    private func world(memory: Int = 0, disk: Int = 0) -> CachedWorld {
        let world = CachedWorld(folder: disk > 0 ? folder.url : nil, memoryLimit: memory, diskLimit: disk)
        world.server.on("*") { request in
            let size = Int(request.url.query ?? "") ?? 2000
            return StubResponse(headers: ["Cache-Control": "max-age=60"], body: Data(repeating: 0x61, count: size))
        }
        return world
    }

    private func hits(_ world: CachedWorld, _ range: Range<Int>) async -> [Int] {
        var hits: [Int] = []
        for number in range where await world.end(.get, "/\(number)", [:], .onlyCached) == .hit { hits.append(number) }
        return hits
    }

    @Test
    func theDefaultsAre4And20MiB() async {
        let cache = ResponseCache(folder: folder.url)
        let client = SimpleNetworking(host: "api.example.com") {
            $0.cache = cache
            $0.transport = StubTransport().on("*") { _ in
                StubResponse(headers: ["Cache-Control": "max-age=60"], body: Data(repeating: 0x61, count: 400_000))
            }
        }
        for number in 0..<60 { await client.get("/\(number)").ended() }
        let size = await cache.size()
        #expect((3_600_000...4 << 20).contains(size.memory))
        #expect((20_000_000...20 << 20).contains(size.disk))
    }

    @Test(arguments: [true, false])
    func leastRecentlyUsedResponseIsEvictedFirst(isDisk: Bool) async {
        // Each takes about 2,600 bytes.
        let world = isDisk ? world(disk: 30_000) : world(memory: 30_000)
        for number in 0..<11 { await world.send(.get, "/\(number)") }
        #expect(await hits(world, 0..<11) == Array(0..<11))
        #expect(await world.end(.get, "/0") == .hit)
        for number in 11..<16 { await world.send(.get, "/\(number)") }
        #expect(await hits(world, 0..<16) == [0] + Array(6..<16))
    }

    @Test(arguments: [true, false])
    func theLimitIsNeverExceeded(isDisk: Bool) async throws {
        let world = isDisk ? world(disk: 30_000) : world(memory: 30_000)
        for number in 0..<100 {
            await world.send(.get, "/\(number % 40)?\(number * 37 % 2400)")
            guard number % 10 == 0 else { continue }
            let size = await world.cache.size()
            #expect(size.memory <= 30_000 && size.disk <= 30_000 && size.memory + size.disk > 0)
            let onDisk = try isDisk ? folder.files(".response") : []
            let bytes = try onDisk.reduce(0) { try $0 + Data(contentsOf: $1).count }
            #expect(bytes <= 30_000 && (bytes > 0) == isDisk)
        }
    }

    @Test(arguments: [(2300, true), (2600, false)])
    func oneResponseTakesAtMostATenth(size: Int, isStored: Bool) async {
        for world in [world(memory: 30_000), world(disk: 30_000)] {
            await world.send(.get, "/x?\(size)")
            #expect(await world.end(.get, "/x?\(size)") == (isStored ? .hit : .fetched))
        }
    }

    @Test
    func whatIsTooLargeForMemoryIsStillOnDisk() async {
        let world = world(memory: 30_000, disk: 300_000)
        for size in [2000, 20_000] { await world.send(.get, "/x?\(size)") }
        let size = await world.cache.size()
        #expect((2000..<20_000).contains(size.memory) && (22_000..<30_000).contains(size.disk))
        #expect(await world.end(.get, "/x?20000") == .hit)
    }

    @Test
    func aLimitThatWasLoweredHoldsForWhatIsThereAlready() async throws {
        let first = world(disk: 300_000)
        for number in 0..<40 { await first.send(.get, "/\(number)") }
        _ = await first.cache.size()
        #expect(try folder.files(".response").count == 40)
        let second = world(disk: 30_000)
        #expect(await second.cache.size().disk <= 30_000)
        #expect(try folder.files(".response").count <= 14)
    }

    @Test
    func theOrderOfUseOutlivesTheProcess() async throws {
        let first = world(disk: 30_000)
        for number in 0..<11 { await first.send(.get, "/\(number)") }
        _ = await first.cache.size()
        let hourAgo = Date().addingTimeInterval(-3600)
        for file in try folder.files(".response") {
            try FileManager.default.setAttributes([.modificationDate: hourAgo], ofItemAtPath: file.path)
        }
        #expect(await first.end(.get, "/3") == .hit)
        let second = world(disk: 30_000)
        for number in 20..<29 { await second.send(.get, "/\(number)") }
        #expect(await second.end(.get, "/3", [:], .onlyCached) == .hit)
    }
}
