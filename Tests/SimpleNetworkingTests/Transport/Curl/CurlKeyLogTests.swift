#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite(
        "CurlTransport's log of keys",
        .timeLimit(.minutes(5)),
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for a TLS server")
    )
    struct CurlKeyLogTests {
        private static func file() -> URL {
            FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).keys")
        }

        /// The lines, if each is one of the format that NSS has defined.
        private static func lines(in file: URL) throws -> [Substring] {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let label = "(CLIENT_RANDOM|[A-Z]+_HANDSHAKE_TRAFFIC_SECRET|[A-Z]+_TRAFFIC_SECRET_[0-9]+|EXPORTER_SECRET)"
            let pattern = try Regex("\(label) [0-9a-f]{64} [0-9a-f]{64,96}")
            for line in lines { #expect(try pattern.wholeMatch(in: line) != nil, "\(line)") }
            return lines
        }

        @Test
        func keysOfTheConnectionsAreAppendedToTheFile() async throws {
            let server = try #require(NginxServer.shared)
            let file = Self.file()
            defer { try? FileManager.default.removeItem(at: file) }
            var counts: [Int] = []
            for _ in 0..<2 {
                let transport = try curl {
                    $0.caFile = server.ca
                    $0.keyLogFile = file
                }
                // Both over one connection.
                for _ in 0..<2 { _ = try await transport.get(server.url("/connection")) }
                counts.append(try Self.lines(in: file).count)
            }
            #expect(counts[0] > 0 && counts[1] == counts[0] * 2)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }

        @Test
        func onlyTheTransportWithAFileWritesKeys() async throws {
            let server = try #require(NginxServer.shared)
            let file = Self.file()
            defer { try? FileManager.default.removeItem(at: file) }
            let logging = try curl {
                $0.caFile = server.ca
                $0.keyLogFile = file
            }
            _ = try await curl { $0.caFile = server.ca }.get(server.url("/connection"))
            #expect(try Self.lines(in: file).isEmpty)
            _ = try await logging.get(server.url("/connection"))
            #expect(try !Self.lines(in: file).isEmpty)
        }

        #if compiler(>=6.2)
            @Test
            func theEnvironmentAloneWritesNoKeys() async throws {
                await #expect(processExitsWith: .success) {
                    let server = try #require(NginxServer.shared)
                    let environment = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
                    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
                    defer { for each in [environment, file] { try? FileManager.default.removeItem(at: each) } }
                    // Before anything has loaded libcurl.
                    setenv("SSLKEYLOGFILE", environment.path, 1)
                    _ = try await curl { $0.caFile = server.ca }.get(server.url("/connection"))
                    _ = try await curl {
                        $0.caFile = server.ca
                        $0.keyLogFile = file
                    }
                    .get(server.url("/connection"))
                    let written = try? Data(contentsOf: environment)
                    #expect(written == nil || written == Data())
                    #expect(try !Data(contentsOf: file).isEmpty)
                }
            }
        #endif

        @Test(arguments: ["/missing/folder/keys", "/tmp", "http://host/keys"])
        func aFileThatCannotBeOpenedEndsEachRequest(file: String) async throws {
            let server = try RawServer { _ in .response() }
            let file = file.hasPrefix("/") ? URL(fileURLWithPath: file) : try #require(URL(string: file))
            let end = try await curl { $0.keyLogFile = file }.end(of: server.url())
            #expect(end == "invalidRequest" && server.requests.isEmpty)
        }
    }
#endif
