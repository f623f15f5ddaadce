#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import SimpleNetworkingTesting
    import SimpleNetworkingTransfers
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, trailers and interim responses", .timeLimit(.minutes(2)))
    struct CurlTrailerTests {
        @Test
        func trailersFollowTheContentOfEachResponse() async throws {
            let count = Locked(0)
            let server = try RawServer { _ in
                let number = count.next()
                return number == 2 ? .chunked(["b"]) : .chunked(["a"], trailers: ["X-Sum:  \(number) ", "X-Sum: x"])
            }
            let transport = try curl()
            let responses = [
                try await transport.get(server.url()), try await transport.get(server.url()),
                try await transport.get(server.url()),
            ]
            #expect(responses.map { $0.trailers.values(for: "x-sum") } == [["1", "x"], [], ["3", "x"]])
            #expect(responses.map { $0.headers.names } == Array(repeating: ["Transfer-Encoding"], count: 3))
            #expect(server.log.opened == 1)
        }

        @Test(arguments: ["X-Sum : 1", ": 1", "X-Sum: a\rb", " X-Sum: 1", "X-Sum", "X-Sum: 1\r"])
        func aMalformedTrailerFailsTheResponse(line: String) async throws {
            let server = try RawServer { _ in .chunked(["a"], trailers: ["X-Fine: 1", line]) }
            let first = try RawServer { _ in .chunked(["a"], trailers: [line]) }
            let ends = [try await curl().end(of: first.url()), try await curl().end(of: server.url())]
            let isFold = line.hasPrefix(" ")
            let malformed = NetworkFailure.Kind.malformedResponse.rawValue
            #expect(ends == [malformed, isFold ? "200" : malformed])
        }

        /// libcurl before 8.7 gathers the trailers of a transfer that is paused.
        @Test
        func trailersThatArriveWhileContentWaitsStayApart() async throws {
            let chunks = Array(repeating: String(repeating: "a", count: 16 << 10), count: 64)
            let server = try RawServer { _ in .chunked(chunks, trailers: ["X-One: 1", "X-Two: 2", "X-Three: 3"]) }
            let client = try Engine.curl.client(server)
            let file = try ScratchFile()
            for _ in 0..<10 {
                let response = try await client.download(for: SimpleNetworking.get("/"), to: file.url).response
                #expect(
                    response.trailers.fields.map { "\($0.name)=\($0.value)" } == ["X-One=1", "X-Two=2", "X-Three=3"]
                )
            }
        }

        @Test
        func everyFaceOfARequestHasThem() async throws {
            let server = try RawServer { _ in
                .chunked(["[1]"], headers: ["Content-Type": "application/json"], trailers: ["X-Sum: 42"])
            }
            let client = try Engine.curl.client(server)
            let handled = Locked<HTTPHeaders?>(nil)
            let ended = await client.get("/") { request in
                request.on(success: { response in handled.withLock { $0 = response.trailers } })
            }.ended()
            #expect(handled.withLock { $0?["X-Sum"] } == "42")
            #expect(try ended.get().trailers["X-Sum"] == "42")
            #expect(try await client.send(Request<[Int]>.get("/")).response.trailers["X-Sum"] == "42")
            let file = try ScratchFile()
            let download = try await client.download(for: SimpleNetworking.get("/"), to: file.url)
            #expect(download.response.trailers["X-Sum"] == "42")
        }

        @Test
        func secretsInTrailersAreHidden() {
            let head = RequestHead(method: .get, url: URL(fileURLWithPath: "/"))
            let response = SimpleResponse(request: head, trailers: ["X-Api-Key": "open sesame", "X-Sum": "42"])
            var text = ""
            dump(response, to: &text)
            #expect(text.contains("42") && !text.contains("sesame"), "\(text)")
        }

        @Test
        func interimResponsesAreEventsInTheirOrder() async throws {
            let server = try RawServer { _ in
                .raw(
                    "HTTP/1.1 100 Continue\r\n\r\n"
                        + "HTTP/1.1 102 Processing\r\n\r\n"
                        + "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nLink: </b.css>\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nX-Final: yes\r\nContent-Length: 2\r\n\r\nok",
                    end: .keepAlive
                )
            }
            let request = SimpleNetworking.get("/")
            let response = try await Engine.curl.client(server).send(request)
            #expect(response.headers.names == ["X-Final", "Content-Length"] && response.text == "ok")
            var interim: [String] = []
            for case .interim(let status, let headers) in request.trace.events.map(\.kind) {
                interim.append("\(status) \(headers.values(for: "Link"))")
            }
            #expect(interim == ["102 []", #"103 ["</a.css>", "</b.css>"]"#])
        }

        /// The event comes while the server still works on the response.
        @Test
        func anInterimResponseIsToldBeforeTheResponse() async throws {
            let latch = RawServer.Latch()
            let server = try RawServer { _ in
                var reply = RawServer.Reply.earlyHints(body: "late")
                reply.steps.insert(.hold(latch), at: 1)
                return reply
            }
            let client = try Engine.curl.client(server) { $0.eventMonitors = [HintMonitor(latch: latch)] }
            #expect(try await client.send(SimpleNetworking.get("/")).text == "late")
        }

        @Test
        func hintOfACancelledRequestIsNotToldToTheNext() async throws {
            let hint = "HTTP/1.1 103 Early Hints\r\n\r\n"
            let server = try RawServer { $0.path == "/x" ? .raw(hint + hint, end: .keepAlive) : .response() }
            let transport = try curl()
            for _ in 0..<20 {
                let cancelled = Task {
                    var request = TransportRequest(head: RequestHead(method: .get, url: server.url("/x")))
                    request.report = { event in
                        guard case .interim = event else { return }
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                    _ = try? await transport.send(request)
                }
                await cancelled.value
                let told = Locked(0)
                var next = TransportRequest(head: RequestHead(method: .get, url: server.url("/y")))
                next.report = { event in
                    if case .interim = event { told.withLock { $0 += 1 } }
                }
                _ = try await transport.send(next)
                #expect(told.withLock { $0 } == 0)
            }
        }

        @Test
        func aThousandHintsAreEachToldOnce() async throws {
            let hints = (0..<1000).map { "HTTP/1.1 103 Early Hints\r\nX-Number: \($0)\r\n\r\n" }.joined()
            let server = try RawServer { _ in .raw(hints + "HTTP/1.1 204 None\r\n\r\n", end: .keepAlive) }
            let told = Locked<[String]>([])
            var request = TransportRequest(head: RequestHead(method: .get, url: server.url()))
            request.report = { event in
                guard case .interim(103, let headers) = event else { return }
                told.withLock { $0.append(headers["X-Number"] ?? "") }
            }
            let response = try await curl().send(request)
            #expect(response.httpStatus == 204 && response.headers.isEmpty)
            #expect(told.withLock { $0 } == (0..<1000).map(String.init))
        }
    }

    /// Opens a latch at the first interim response.
    private struct HintMonitor: EventMonitor {
        let latch: RawServer.Latch

        func observe(_ event: RequestEvent, of request: ObservedRequest) {
            if case .interim = event.kind { latch.open() }
        }
    }
#endif
