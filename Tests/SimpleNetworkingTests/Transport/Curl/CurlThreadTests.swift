#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, its threads and files", .serialized, .timeLimit(.minutes(5)))
    struct CurlThreadTests {
        /// The signals that the threads of engines block, one mask for each.
        private static func blockedSignals() throws -> [UInt64] {
            let folder = "/proc/self/task"
            return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { thread in
                guard let status = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8) else {
                    // It has ended meanwhile.
                    return nil
                }
                let lines = status.split(separator: "\n")
                guard lines.first == "Name:\tsn-curl" else { return nil }
                let mask = lines.first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last
                return mask.flatMap { UInt64($0, radix: 16) }
            }
        }

        @Test
        func itsThreadsLeaveSignalsOpenThatTellOfACrashOrAProfiler() async throws {
            let server = try RawServer { _ in .response() }
            let transport = try curl()
            _ = try await transport.get(server.url())
            let open = Self.mask(SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF)
            let blocked = Self.mask(SIGPIPE, SIGTERM, SIGCHLD)
            // While a thread starts, it blocks all signals.
            try await withinSeconds(120) {
                while true {
                    let masks = try Self.blockedSignals()
                    if !masks.isEmpty, masks.allSatisfy({ $0 & open == 0 && $0 & blocked == blocked }) { return }
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
        }

        private static func mask(_ signals: Int32...) -> UInt64 {
            signals.reduce(0) { $0 | 1 << (UInt64($1) - 1) }
        }

        /// The sockets that are registered with some poller of this process, by their inodes' numbers.
        private static func polledSockets() -> Set<UInt64> {
            let folder = "/proc/self/fd"
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            var polled: Set<UInt64> = []
            for file in files {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(file)")
                guard target == "anon_inode:[eventpoll]" else { continue }
                let info = (try? String(contentsOfFile: "/proc/self/fdinfo/\(file)", encoding: .utf8)) ?? ""
                for line in info.split(separator: "\n") where line.hasPrefix("tfd:") {
                    let number = line.split(separator: " ").first { $0.hasPrefix("ino:") }
                    if let number = number.flatMap({ UInt64($0.dropFirst(4), radix: 16) }) { polled.insert(number) }
                }
            }
            return polled
        }

        /// The open sockets of this process, by their inodes' numbers.
        private static func openSockets() -> [UInt64: Int32] {
            var sockets: [UInt64: Int32] = [:]
            for file in 0..<Int32(4096) {
                var info = stat()
                guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFSOCK else { continue }
                sockets[UInt64(info.st_ino)] = file
            }
            return sockets
        }

        /// As a child of `fork` does, which has each file, too.
        @Test
        func aClosedSocketThatAnotherProcessKeepsIsPolledNoMore() async throws {
            let latch = RawServer.Latch()
            // With this field, libcurl closes the connection itself.
            let server = try RawServer { _ in .response(headers: ["Connection": "close"]).held(by: latch) }
            let transport = try curl()
            let others = Self.polledSockets()
            let task = Task { try await transport.get(server.url()).httpStatus }
            await server.wait(forRequests: 1)
            try await eventually { !Self.polledSockets().subtracting(others).isEmpty }
            let sockets = Self.polledSockets().subtracting(others)
            let copies = Self.openSockets().filter { sockets.contains($0.key) }.map { dup($0.value) }
            defer { for copy in copies { close(copy) } }
            #expect(!copies.isEmpty)
            latch.open()
            #expect(try await task.value == 200)
            // Closed, it would stay with the poller, which could not name it any more, and never sleep again.
            try await withinSeconds(120) {
                while !Self.polledSockets().isDisjoint(with: sockets) {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
        }
    }
#endif
