import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Many concurrent requests with one cache.
@Suite(.timeLimit(.minutes(5)))
struct CacheStormTests {
    @Test
    func noAccountGetsAnothersResponseOrAnOutdatedOne() async throws {
        let folder = ScratchFolder()
        let world = CachedWorld(folder: folder.url, memoryLimit: 20_000, diskLimit: 60_000)
        let versions = Locked<[String: Int]>([:])
        world.server.on(.put, "*") { request in
            versions.withLock { $0[request.url.path, default: 0] += 1 }
            return .status(204)
        }
        world.server.on(.get, "*") { request in
            let path = request.url.path
            let version = versions.withLock { $0[path, default: 0] }
            let account = request.headers["Authorization"] ?? ""
            let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": "X-Kind"]
            return .text("\(path) \(version) \(account) \(request.headers["X-Kind"] ?? "")", headers: headers)
        }
        let wrong = Recorder<String>()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<60 {
                        let path = "/\(Int.random(in: 0..<6))"
                        let account = "Bearer \(Int.random(in: 0..<3))"
                        let kind = "\(Int.random(in: 0..<2))"
                        switch round % 20 {
                        case 7: await world.send(.put, path)
                        case 13 where task == 0: await world.cache.removeAll()
                        default:
                            // A request sent after the change was acknowledged must see it.
                            let least = versions.withLock { $0[path, default: 0] }
                            let text = await world.client.get(path) {
                                $0.header("Authorization", account).header("X-Kind", kind)
                            }.ended().value?.text
                            let words = (text ?? "").split(separator: " ", maxSplits: 2).map(String.init)
                            // A change in flight may be seen or not.
                            let isNew = words.count == 3 && (Int(words[1]) ?? -1) >= least - 8
                            if words.first != path || words.last != "\(account) \(kind)" || !isNew {
                                wrong.add("\(path) \(account) \(kind): \(text ?? "nothing")")
                            }
                        }
                    }
                }
            }
        }
        #expect(wrong.elements == [])
        let size = await world.cache.size()
        #expect(size.memory <= 20_000 && size.disk <= 60_000)
        for path in (0..<6).map({ "/\($0)" }) {
            await world.send(.put, path)
            let version = versions.withLock { $0[path, default: 0] }
            let text = await world.send(.get, path, ["Authorization": "Bearer 1"]).response?.text
            #expect(text?.hasPrefix("\(path) \(version) ") == true)
        }
    }

    @Test
    func equalRequestsAtOnceAreAllSent() async {
        let world = CachedWorld()
        let gate = Gate()
        world.server.on("*", .text("a", headers: ["Cache-Control": "max-age=60"]).after(gate))
        async let first = world.end()
        async let second = world.end()
        await gate.arrivals(2)
        gate.open()
        _ = await (first, second)
        #expect(world.server.requests.count == 2)
        #expect(await world.end() == .hit)
    }
}
