import Adapters
import InMemoryTracing
import SimpleNetworking
import SimpleNetworkingTesting
import Testing
import Tracing

/// The adapter for swift-distributed-tracing.
@Suite(.timeLimit(.minutes(1)))
struct TracingTests {
    private let tracer = InMemoryTracer()
    private let server = StubTransport()

    private func client(_ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }) -> SimpleNetworking {
        SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.logger) = (server, .silent)
            $0.traceRequests(with: tracer)
            configure(&$0)
        }
    }

    private func names(_ span: FinishedInMemorySpan) -> [String] { span.events.map(\.name) }

    @Test
    func aRequestIsAChildOfTheSpanThatItWasStartedIn() async throws {
        server.on("/users/7", .json("{}"))
        let api = client()
        let request = SimpleNetworking.get("/users/7?access_token=s3cret").tag("url.template", "/users/{id}")
        let parent = try await tracer.withSpan("job") { span in
            _ = try await api.send(request)
            // A task of its own starts with the same context, and handlers belong to no span.
            let other = Task { await api.get("/users/7").ended() }
            _ = await other.value
            return span.spanID
        }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["GET /users/{id}", "GET", "job"])
        #expect(spans.prefix(2).map(\.parentSpanID) == [parent, parent])
        let span = try #require(spans.first)
        #expect(span.kind == .client && span.status == nil && span.errors.isEmpty)
        let attributes: SpanAttributes = [
            "http.request.method": "GET", "url.full": "https://api.example.com/users/7?access_token=‹secret›",
            "url.template": "/users/{id}", "server.address": "api.example.com", "server.port": 443,
            "http.response.status_code": 200,
        ]
        #expect(span.attributes == attributes)
        #expect(names(span) == ["attempt", "response"])
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test
    func attemptsAndRedirectsAreEventsOfOneSpanWhoseContextTheServerReceives() async throws {
        server.on("/x", .status(503, headers: ["Retry-After": "0"]), times: 1).on("/x", .status(401), times: 1)
            .on("/x", .redirect(to: "/y"), times: 1).on("/y", .json("{}"))
        let request = SimpleNetworking.get("/x").retry(RetryPolicy(attempts: 2))
            .on(httpStatus: 401) { request, _ in
                request.retry()
                return false
            }
        _ = try await client().send(request)
        let span = try #require(tracer.finishedSpans.first)
        #expect(tracer.finishedSpans.count == 1)
        let expected = [
            "attempt", "response", "retry", "attempt", "response", "retry", "attempt", "response", "redirect",
            "response",
        ]
        #expect(names(span) == expected)
        #expect(span.attributes["http.request.resend_count"]?.toSpanAttribute() == .int64(2))
        #expect(span.events[8].attributes["url.full"]?.toSpanAttribute() == "https://api.example.com/y")
        #expect(server.requests.count == 4)
        for request in server.requests {
            #expect(request.headers[InMemoryTracer.traceIDKey] == span.traceID)
            #expect(request.headers[InMemoryTracer.spanIDKey] == span.spanID)
        }
    }

    @Test(arguments: [
        (StubResponse.status(404), "404", 404 as Int64?), (.failure(.offline), "networkingError", nil),
    ])
    func aFailureIsTheSpansStatus(response: StubResponse, type: String, status: Int64?) async throws {
        server.on("*", response)
        await client().get("/x").ended()
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.status?.code == .error)
        #expect(span.status?.message?.contains("there is no network connection") == (status == nil ? true : nil))
        #expect(span.attributes["error.type"]?.toSpanAttribute() == .string(type))
        #expect(span.attributes["http.response.status_code"]?.toSpanAttribute() == status.map { .int64($0) })
    }

    @Test
    func anotherOriginGetsTheContextOnlyIfItsFieldsAreShared() async throws {
        server.on("/x", .json("{}"))
        let request = SimpleNetworking.get("https://other.example/x")
        _ = try await client().send(request)
        _ = try await client { $0.sharedHeaders = [InMemoryTracer.traceIDKey] }.send(request)
        #expect(server.requests.map { $0.headers.contains(InMemoryTracer.traceIDKey) } == [false, true])
        #expect(server.requests.map { $0.headers.contains(InMemoryTracer.spanIDKey) } == [false, false])
    }

    @Test
    func codeThatSendsRunsInTheSpanAndAnUnusualMethodIsNoName() async throws {
        struct Inner: Middleware {
            let seen = Recorder<String?>()

            func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
                seen.add(ServiceContext.current?.inMemorySpanContext?.spanID)
                return try await next(request)
            }
        }
        server.on("*", .status(204))
        let inner = Inner()
        await client { $0.middleware.append(inner) }.request(HTTPMethod(rawValue: "LOCK"), path: "/x") { $0 }.ended()
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.operationName == "HTTP" && span.parentSpanID == nil)
        #expect(span.attributes["http.request.method_original"]?.toSpanAttribute() == "LOCK")
        #expect(inner.seen.elements == [span.spanID])
    }
}
