#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import Testing
    @testable import SimpleNetworkingCore

    @Suite(
        "CurlTransport over TLS and HTTP/2",
        .timeLimit(.minutes(5)),
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for a TLS server")
    )
    struct CurlSecureTests {
        let server: NginxServer

        init() throws { server = try #require(NginxServer.shared) }

        private func transport(_ change: (inout CurlConfiguration) -> Void = { _ in }) throws -> CurlTransport {
            try curl {
                $0.caFile = server.ca
                change(&$0)
            }
        }

        @Test
        func manyRequestsShareOneConnection() async throws {
            // As many as there are streams: beyond, a host that pauses is given more, and on a busy machine all pause.
            let transport = try transport { $0.connectionsPerHost = 100 }
            let connections = try await withThrowingTaskGroup(of: TransportResponse.self) { group in
                for _ in 0..<300 { group.addTask { try await transport.get(server.url("/connection")) } }
                var connections: Set<String> = []
                for try await response in group {
                    connections.insert(response.text)
                    #expect(response.metrics.protocolName == "h2")
                }
                return connections
            }
            #expect(connections.count == 1)
        }

        /// A server that goes away while requests are given to its connection has not seen the last ones (RFC 9113 §6.8).
        @Test
        func requestsSurviveAServerThatGoesAwayEveryFewRequests() async throws {
            let transport = try transport { $0.connectionsPerHost = 6 }
            let url = try #require(URL(string: "https://127.0.0.1:\(server.hastyPort)/"))
            let big = url.appendingPathComponent("big")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        for index in 0..<150 {
                            guard index % 3 == 0 else {
                                _ = try await transport.get(index % 10 == 1 ? big : url)
                                continue
                            }
                            let cancelled = Task { try await transport.get(big) }
                            for _ in 0..<(index % 7) { await Task.yield() }
                            cancelled.cancel()
                            _ = await cancelled.result
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test
        func contentArrivesWholeOverStreams() async throws {
            let transport = try transport()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await transport.get(server.url("/big")).data.count } }
                for try await count in group { #expect(count == 5_000_000) }
            }
        }

        @Test
        func aSlowReaderDoesNotKeepOtherStreamsWaiting() async throws {
            let transport = try transport()
            let latch = Latch()
            let count = Locked(0)
            let slow = Task {
                try await transport.get(server.url("/big")) {
                    $0.sink = .stream { part in
                        guard case .content(let data) = part else { return }
                        count.withLock { $0 += data.count }
                        await latch.wait()
                    }
                }
            }
            for _ in 0..<5 { #expect(try await transport.get(server.url("/big")).data.count == 5_000_000) }
            await latch.open()
            _ = try await slow.value
            #expect(count.withLock { $0 } == 5_000_000)
        }

        @Test
        func trailersArriveApartFromTheHeaderFields() async throws {
            for path in ["/trailers", "/compressed"] {
                let response = try await transport().get(server.url(path))
                #expect(response.data.count == 5_000_000)
                #expect(!response.headers.contains("X-Sum"))
                // Over HTTP/2, libcurl 7.88 reads no further than an announced length.
                #expect(path == "/trailers" || response.trailers["X-Sum"] == "42")
            }
        }

        @Test
        func aCancelledStreamLeavesTheConnectionToTheOthers() async throws {
            let transport = try transport()
            let first = try await transport.get(server.url("/connection")).text
            let tasks = (0..<20).map { _ in Task { try await transport.get(server.url("/old")) } }
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
            #expect(try await transport.get(server.url("/connection")).text == first)
        }

        @Test
        func requestsThatWaitForACancelledOnesConnectionGetAnother() async throws {
            for round in 0..<30 {
                let transport = try transport()
                let tasks = (0..<10).map { _ in
                    Task { try await transport.get(server.url("/connection")) { $0.timeout = 5 }.httpStatus }
                }
                for _ in 0..<(round * 20) { await Task.yield() }
                let cancelled = Set([0, round % 10, Int.random(in: 0..<10)])
                for number in cancelled { tasks[number].cancel() }
                for number in tasks.indices where !cancelled.contains(number) {
                    #expect(try await tasks[number].value == 200)
                }
            }
        }

        /// An attacker on the network can close the connection, and many servers close it without `close_notify`, too.
        @Test(arguments: [
            (end: "Content-Length: 9\r\n\r\nhello", isKnown: true),
            ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", true),
            ("Connection: close\r\n\r\nhello", false),
        ])
        func aResponseCutShortWithinTLSFailsIfItsEndIsKnown(response: (end: String, isKnown: Bool)) async throws {
            let port = try Socket.freePort()
            let arguments = ["openssl", "s_server", "-quiet", "-accept", "127.0.0.1:\(port)"]
            let path = server.folder.path
            let openssl = try ChildProcess(
                "/usr/bin/env",
                arguments + ["-cert", "\(path)/server.pem", "-key", "\(path)/server.key"]
            )
            defer { openssl.kill() }
            Socket.waitForListener(on: port)
            let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
            Thread.detachNewThread {
                // The whole request: what openssl prints before it is of the connection that looked for the listener.
                var request = Data()
                while request.range(of: Data("\r\n\r\n".utf8)) == nil {
                    let bytes = openssl.output.availableData
                    guard !bytes.isEmpty else { return }
                    request += bytes
                }
                try? openssl.input.write(contentsOf: Data("HTTP/1.1 200 OK\r\n\(response.end)".utf8))
            }
            let end = try await transport().end(of: url) {
                $0.sink = .stream { part in
                    if case .content = part { openssl.kill() }
                }
            }
            #expect(end == (response.isKnown ? NetworkFailure.Kind.connectionLost.rawValue : "200"))
        }

        @Test
        func metricsIncludeTLS() async throws {
            let metrics = try await transport().get(server.url("/connection")).metrics
            #expect(try #require(metrics.secureConnect) >= #require(metrics.connect))
        }

        /// Keeps tasks waiting until it is opened.
        private actor Latch {
            private var isOpen = false
            private var waiters: [CheckedContinuation<Void, Never>] = []

            func wait() async {
                if !isOpen { await withCheckedContinuation { waiters.append($0) } }
            }

            func open() {
                isOpen = true
                for waiter in waiters { waiter.resume() }
                waiters = []
            }
        }
    }
#endif
