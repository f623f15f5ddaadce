#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport, content to send", .timeLimit(.minutes(1)))
    struct CurlUploadTests {
        static let sizes = [0, 1, 14, 1000, 64 << 10, (64 << 10) + 1, 5_000_000]

        @Test(arguments: sizes)
        func dataArrivesWhole(size: Int) async throws {
            let server = try RawServer { .mirror($0) }
            let data = content(size)
            let transport = try curl()
            for _ in 0..<2 {
                #expect(try await transport.get(server.url(), method: .post, body: .data(data)).body == data)
            }
            // A slice does not begin at zero.
            let slice = (Data([1, 2, 3]) + data).dropFirst(3)
            #expect(try await transport.get(server.url(), method: .put, body: .data(slice)).body == data)
        }

        @Test(arguments: sizes)
        func aFileArrivesWhole(size: Int) async throws {
            let server = try RawServer { .mirror($0) }
            let file = try CurlTesting.file(content(size))
            defer { try? FileManager.default.removeItem(at: file) }
            let response = try await curl().get(server.url(), method: .put, body: .file(file))
            #expect(response.body == content(size))
            #expect(server.requests.first?[header: "Content-Length"] == "\(size)")
        }

        @Test(arguments: sizes, [true, false])
        func aStreamArrivesWhole(size: Int, hasLength: Bool) async throws {
            let server = try RawServer { .mirror($0) }
            let data = content(size)
            let body = RequestBody.stream(length: hasLength ? size : nil) { InputStream(data: data) }
            let transport = try curl()
            for _ in 0..<2 {
                #expect(try await transport.get(server.url(), method: .post, body: body).body == data)
            }
            let request = try #require(server.requests.first)
            #expect(request[header: "Content-Length"] == (hasLength ? "\(size)" : nil))
            #expect(request[header: "Transfer-Encoding"] == (hasLength ? nil : "chunked"))
        }

        @Test
        func aStreamMayWaitWithoutKeepingOthersWaiting() async throws {
            let server = try RawServer { .mirror($0) }
            let latch = DispatchSemaphore(value: 0)
            let transport = try curl()
            let body = RequestBody.stream(length: nil) {
                latch.wait()
                return InputStream(data: Data("late".utf8))
            }
            async let slow = transport.get(server.url(), method: .post, body: body)
            for _ in 0..<10 { _ = try await transport.get(server.url()) }
            latch.signal()
            #expect(try await slow.text == "late")
        }

        @Test
        func aBlockedStreamDoesNotKeepACancellationWaiting() async throws {
            let server = try RawServer { .mirror($0) }
            let latch = DispatchSemaphore(value: 0)
            let transport = try curl()
            let body = RequestBody.stream(length: nil) {
                latch.wait()
                return InputStream(data: Data())
            }
            let task = Task { try await transport.get(server.url(), method: .post, body: body) }
            await server.wait { $0.requests.isEmpty }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            latch.signal()
        }

        static let unreadable: [(String, RequestBody)] = [
            ("missing file", .file(URL(fileURLWithPath: "/does/not/exist"))),
            ("folder", .file(FileManager.default.temporaryDirectory)),
            ("device", .file(URL(fileURLWithPath: "/dev/zero"))),
            ("no stream", .stream(length: nil, make: { nil })),
            ("no stream of a length", .stream(length: 5, make: { nil })),
            ("stream of a missing file", .stream(length: nil, make: { InputStream(fileAtPath: "/does/not/exist") })),
            ("stream shorter than it says", .stream(length: 5, make: { InputStream(data: Data("abc".utf8)) })),
        ]

        @Test(arguments: unreadable.indices)
        func contentThatCannotBeReadIsAnError(index: Int) async throws {
            let server = try RawServer { .mirror($0) }
            let (name, body) = Self.unreadable[index]
            let transport = try curl()
            let end = await transport.end(of: server.url()) {
                $0.method = .put
                $0.body = body
            }
            #expect(end == NetworkFailure.Kind.unreadableBody.rawValue, "\(name)")
            #expect(try await transport.get(server.url()).status == 200)
        }

        @Test
        func headCannotHaveContent() async throws {
            let server = try RawServer { .mirror($0) }
            let end = try await curl().end(of: server.url()) {
                $0.method = .head
                $0.body = .data(Data("a".utf8))
            }
            #expect(end == "invalidRequest")
        }

        @Test(arguments: ["data", "file", "stream"])
        func contentIsSentAgainWhenAKeptConnectionWasClosed(kind: String) async throws {
            let server = try RawServer { .closedIfReused($0, else: .mirror($0)) }
            let data = content(200_000)
            let file = try CurlTesting.file(data)
            defer { try? FileManager.default.removeItem(at: file) }
            let made = Locked(0)
            let bodies: [String: RequestBody] = [
                "data": .data(data), "file": .file(file),
                "stream": .stream(length: data.count) {
                    made.withLock { $0 += 1 }
                    return InputStream(data: data)
                },
            ]
            let body = try #require(bodies[kind])
            let transport = try curl()
            for _ in 0..<4 {
                let response = try await transport.get(server.url(), method: .put, body: body)
                #expect(response.body == data)
            }
            if kind == "stream" { #expect(made.withLock { $0 } == 4 + 3) }
        }

        @Test
        func anAnswerBeforeTheContentIsSentEndsTheRequest() async throws {
            let server = try RawServer { _ in .response(status: 413, body: "too much", end: .close) }
            let body = RequestBody.stream(length: nil) { InputStream(data: self.content(100)) }
            #expect(try await curl().get(server.url(), method: .post, body: body).status == 413)
        }

        @Test
        func progressGrowsToTheWhole() async throws {
            let server = try RawServer { .mirror($0) }
            let data = content(3_000_000)
            let seen = Locked<[TransferProgress]>([])
            let response = try await curl().get(server.url(), method: .post, body: .data(data)) {
                $0.progress = { progress in seen.withLock { $0.append(progress) } }
            }
            #expect(response.body == data)
            let all = seen.withLock { $0 }
            let whole = TransferProgress(
                bytesSent: data.count,
                bytesToSend: data.count,
                bytesReceived: data.count,
                bytesToReceive: data.count
            )
            #expect(all.last == whole)
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.bytesSent <= $1.bytesSent })
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.bytesReceived <= $1.bytesReceived })
        }

        private func content(_ size: Int) -> Data {
            Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        }
    }
#endif
