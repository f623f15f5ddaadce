// In a process of its own, which forks.
#if canImport(CLibcurl) && os(Linux) && compiler(>=6.2)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, after fork", .timeLimit(.minutes(5)))
    struct CurlForkTests {
        /// Swift hides it, since a child with Swift's threads missing can do little; but other languages call it.
        private static func fork() -> pid_t {
            typealias Fork = @convention(c) () -> pid_t
            guard let address = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork") else { exit(3) }
            return unsafeBitCast(address, to: Fork.self)()
        }

        @Test
        func aRequestInTheChildFailsAtOnceAndSaysWhy() async throws {
            await #expect(processExitsWith: .success) {
                let server = try RawServer { _ in .response() }
                let transport = try curl()
                _ = try await transport.get(server.url())
                let url = server.url()
                guard let child = Self.child(sendingThrough: transport, to: url) else { exit(4) }
                var status: Int32 = 0
                while waitpid(child, &status, 0) < 0, errno == EINTR {}
                #expect(status == 0, "the child's status")
                // The parent's goes on.
                #expect(try await transport.get(url).httpStatus == 200)
            }
        }

        /// Returns the child in the parent; never returns in the child.
        private static func child(sendingThrough transport: CurlTransport, to url: URL) -> pid_t? {
            let child = fork()
            guard child == 0 else { return child > 0 ? child : nil }
            alarm(60)
            Task(executorPreference: transport.traits.executor) {
                do {
                    _ = try await transport.get(url)
                    _exit(1)
                } catch {
                    _exit("\(error)".contains("fork") ? 0 : 2)
                }
            }
            pause()
            _exit(5)
        }
    }
#endif
