#if canImport(CLibcurl) && os(Linux) && compiler(>=6.2)
    import Foundation
    import SimpleNetworkingSupport
    import SimpleNetworkingTransfers
    import Testing
    @testable import SimpleNetworkingCore

    // Each in a process of its own, where nothing else takes memory.
    @Suite("CurlTransport and memory", .timeLimit(.minutes(5)))
    struct CurlMemoryTests {
        @Test
        func aDecompressionBombEndsAtTheLimitWithMemoryFlat() async throws {
            await #expect(processExitsWith: .success) {
                let bomb = try #require(Bomb.compressedZeros(megabytes: 200), "gzip is needed")
                let server = try RawServer { _ in .response(headers: ["Content-Encoding": "gzip"], data: bomb) }
                let transport = try curl()
                #expect(await transport.end(of: server.url("/warm")) { $0.maxResponseSize = 1 } == "tooLarge")
                let before = ProcessUsage.peak
                #expect(await transport.end(of: server.url()) { $0.maxResponseSize = 1 << 20 } == "tooLarge")
                #expect(Sanitizer.isOn || ProcessUsage.peak - before < 16 << 20)
            }
        }

        @Test
        func aSlowReaderKeepsTheServerWaiting() async throws {
            await #expect(processExitsWith: .success) {
                let size = 128 << 20
                let content = Data(repeating: 1, count: size)
                let flow = RawServer.Flow()
                let server = try RawServer { _ in .watched(content, by: flow) }
                let count = Locked(0)
                let before = ProcessUsage.peak
                _ = try await curl().get(server.url()) {
                    $0.sink = .stream { part in
                        guard case .content(let data) = part else { return }
                        #expect(data.count <= 256 << 10)
                        let isFirst = count.withLock { count in
                            defer { count += data.count }
                            return count == 0
                        }
                        // A server that nothing holds back sends all of it.
                        guard isFirst else { return }
                        let sight = try await flow.sight()
                        #expect(sight == .stalled)
                    }
                }
                #expect(count.withLock { $0 } == size)
                #expect(Sanitizer.isOn || ProcessUsage.peak - before < 24 << 20)
            }
        }

        /// libcurl tells nothing about the socket between the end of the handshake and that of the response.
        @Test(.enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for a TLS server"))
        func aSlowReaderOfANewTLSConnectionKeepsTheServerWaiting() async throws {
            await #expect(processExitsWith: .success) {
                let server = try #require(NginxServer.shared)
                let url = try #require(URL(string: "https://127.0.0.1:\(server.oldPort)/huge"))
                let count = Locked<UInt64>(0)
                let before = ProcessUsage.peak
                let transport = try curl { $0.caFile = server.ca }
                _ = try await transport.get(url) {
                    $0.sink = .stream { part in
                        guard case .content(let data) = part else { return }
                        let isFirst = count.withLock { count in
                            defer { count += UInt64(data.count) }
                            return count == 0
                        }
                        // Long enough for a server that nothing holds back to send all of it.
                        if isFirst { try await Task.sleep(nanoseconds: 500_000_000) }
                    }
                }
                #expect(count.withLock { $0 } == NginxServer.hugeSize)
                #expect(Sanitizer.isOn || ProcessUsage.peak - before < 24 << 20)
            }
        }

        @Test
        func aFileOfAnySizeTakesNoMemory() async throws {
            await #expect(processExitsWith: .success) {
                let content = Data(repeating: 1, count: 128 << 20)
                let server = try RawServer { _ in .response(data: content) }
                let file = try ScratchFile()
                let before = ProcessUsage.peak
                let transport = try curl()
                let client = SimpleNetworking(baseURL: server.url()) { $0.transport = transport }
                try await client.download(for: SimpleNetworking.get("/"), to: file.url)
                #expect(Sanitizer.isOn || ProcessUsage.peak - before < 16 << 20)
                #expect(try FileManager.default.attributesOfItem(atPath: file.url.path)[.size] as? Int == content.count)
            }
        }

        @Test
        func thousandsOfInterimResponsesTakeLittleMemory() async throws {
            await #expect(processExitsWith: .success) {
                let hint = "HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n"
                let hints = Data(String(repeating: hint, count: 7_000).utf8)
                let ok = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
                let flow = RawServer.Flow()
                let server = try RawServer {
                    $0.path == "/" ? .response() : RawServer.Reply([.pour(hints + ok, flow)])
                }
                let transport = try curl()
                _ = try await transport.get(server.url())
                let before = ProcessUsage.peak
                let (count, hasCome) = (Locked(0), DispatchSemaphore(value: 0))
                async let response = transport.get(server.url("/hints")) {
                    $0.report = { _ in
                        let isFirst = count.withLock { count in
                            count += 1
                            return count == 1
                        }
                        // The others gather meanwhile.
                        if isFirst { hasCome.wait() }
                    }
                }
                try await flow.end()
                _ = try await transport.get(server.url())
                hasCome.signal()
                #expect(try await response.text == "ok")
                #expect(count.withLock { $0 } == 7_000)
                #expect(Sanitizer.isOn || ProcessUsage.peak - before < 8 << 20)
            }
        }

        @Test
        func thousandsOfFieldsLeaveNoMemoryBehind() async throws {
            await #expect(processExitsWith: .success) {
                let fields = String(repeating: "a:\r\n", count: 60_000)
                let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(fields)\r\n".utf8)
                let (width, latch) = (20, RawServer.Latch())
                let server = try RawServer {
                    $0.path == "/" ? .response() : RawServer.Reply([.hold(latch), .send(head)])
                }
                let transport = try curl()
                _ = try await transport.get(server.url())
                let before = ProcessUsage.heap
                await withTaskGroup { group in
                    for _ in 0..<width {
                        group.addTask {
                            let end = await transport.end(of: server.url("/fields"))
                            #expect(end == "200")
                        }
                    }
                    await server.wait { $0.requests.count > width }
                    latch.open()
                }
                #expect(Sanitizer.isOn || ProcessUsage.heap - before < 16 << 20)
            }
        }

        @Test(arguments: ["Content-Length: 9999999999\r\n", "", "Transfer-Encoding: chunked\r\n"])
        func theContentOfARedirectTakesNoMemoryThoughItNeverEnds(field: String) async throws {
            await #expect(processExitsWith: .success) { [field] in
                let piece = Data(repeating: 97, count: 64 << 10)
                let chunk = field.hasPrefix("T") ? Data("10000\r\n".utf8) + piece + Data("\r\n".utf8) : piece
                let server = try RawServer { request in
                    guard request.path == "/here" else { return .response(body: "there") }
                    let head = Data("HTTP/1.1 302 Found\r\nLocation: /there\r\n\(field)\r\n".utf8)
                    return RawServer.Reply([.send(head), .flood(chunk)])
                }
                let client = try Engine.curl.client(server)
                #expect(try await client.send(SimpleNetworking.get("/there")).text == "there")
                let before = ProcessUsage.peak
                for _ in 0..<4 { #expect(try await client.send(SimpleNetworking.get("/here")).text == "there") }
                #expect(Sanitizer.isOn || ProcessUsage.peak - before < 16 << 20)
            }
        }
    }
#endif
