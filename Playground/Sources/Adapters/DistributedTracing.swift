import Foundation
import Instrumentation
import SimpleNetworking
import Synchronization
import Tracing

extension SimpleNetworking.Configuration {
    /// Traces the client's requests with swift-distributed-tracing.
    ///
    /// Each execution is a span of the kind `client`, a child of the span in which it was started. Its context goes to
    /// the server in the fields that the tracer injects, such as `traceparent`; to origins other than the base URL's
    /// and the trusted ones, only if you name these fields in `sharedHeaders`.
    ///
    /// Names and attributes are those of OpenTelemetry's conventions for HTTP clients. Attempts, redirects, retries,
    /// refreshes and notes of features are events of the span. A request's tag `url.template`, such as `/users/{id}`,
    /// becomes a part of the span's name; URLs have their secrets hidden.
    ///
    /// - Parameter tracer: The tracer. The default is nil: the one that is active when a request is started.
    public mutating func traceRequests(with tracer: (any Tracer)? = nil) {
        let tracing = RequestTracing(tracer: tracer)
        eventMonitors.append(tracing)
        middleware.insert(tracing, at: 0)
    }
}

/// Makes a span of a request's events, and sends its context along.
///
/// It is a monitor, which sees the whole execution, and middleware, which can change what is sent; the request's number
/// connects the two.
final class RequestTracing: EventMonitor, Middleware {
    private struct Running {
        let span: any Span
        let tracer: any Tracer
    }

    private let tracer: (any Tracer)?
    private let running = Mutex<[Int: Running]>([:])

    init(tracer: (any Tracer)?) { self.tracer = tracer }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let number = request.number, let running = running.withLock({ $0[number] }) else {
            return try await next(request)
        }
        var request = request
        let context = running.span.context
        running.tracer.inject(context, into: &request.headers, using: FieldInjector())
        return try await ServiceContext.withValue(context) { [request] in try await next(request) }
    }

    func observe(_ event: RequestEvent, of request: ObservedRequest) {
        if case .sent(let head, _) = event.kind { begin(request, head) }
        guard let span = running.withLock({ $0[request.number]?.span }) else { return }
        switch event.kind {
        case .sent(_, let attempt):
            if attempt > 1 { span.attributes["http.request.resend_count"] = attempt - 1 }
            span.addEvent(SpanEvent(name: "attempt", attributes: ["attempt": .int64(Int64(attempt))]))
        case .received(let status, _):
            span.addEvent(SpanEvent(name: "response", attributes: ["http.response.status_code": .int64(Int64(status))]))
        case .redirected(let status, let url, _):
            let attributes: SpanAttributes = [
                "http.response.status_code": .int64(Int64(status)), "url.full": .string(Self.text(of: url)),
            ]
            span.addEvent(SpanEvent(name: "redirect", attributes: attributes))
        case .retry(let delay): span.addEvent(SpanEvent(name: "retry", attributes: ["delay": .double(delay)]))
        case .failed, .resent, .refresh, .note: span.addEvent(SpanEvent(name: "\(event.kind)"))
        case .ended(let ending):
            Self.finish(span, ending)
            running.withLock { $0[request.number] = nil }
        default: break
        }
    }

    /// Starts the span, in the task or on the thread that executes the request: its context is the parent.
    private func begin(_ request: ObservedRequest, _ head: RequestHead) {
        guard running.withLock({ $0[request.number] == nil }) else { return }
        let tracer = tracer ?? InstrumentationSystem.tracer
        let isKnown = Self.methods.contains(head.method.rawValue)
        let template = request.tags["url.template"]
        let method = isKnown ? head.method.rawValue : "HTTP"
        let span: any Span = tracer.startSpan(
            template.map { "\(method) \($0)" } ?? method,
            ofKind: .client,
            file: request.fileID,
            line: UInt(request.line)
        )
        span.attributes["http.request.method"] = isKnown ? head.method.rawValue : "_OTHER"
        if !isKnown { span.attributes["http.request.method_original"] = head.method.rawValue }
        span.attributes["url.full"] = Self.text(of: head.url)
        if let template { span.attributes["url.template"] = template }
        span.attributes["server.address"] = head.url.host ?? ""
        span.attributes["server.port"] = head.url.port ?? (head.url.scheme?.lowercased() == "http" ? 80 : 443)
        running.withLock { $0[request.number] = Running(span: span, tracer: tracer) }
    }

    private static func finish(_ span: any Span, _ ending: Result<Int, SimpleNetworkingError>) {
        switch ending {
        case .success(let status): span.attributes["http.response.status_code"] = status
        case .failure(let error):
            let status = error.httpStatus
            if let status { span.attributes["http.response.status_code"] = status }
            if let status, status >= 400 {
                span.attributes["error.type"] = "\(status)"
                span.setStatus(SpanStatus(code: .error))
            } else {
                span.attributes["error.type"] = Mirror(reflecting: error).children.first?.label ?? "_OTHER"
                span.setStatus(SpanStatus(code: .error, message: error.description))
            }
        }
        span.end()
    }

    /// A URL with secrets hidden, as in the description of a request.
    private static func text(of url: URL) -> String { String("\(RequestHead(method: .get, url: url))".dropFirst(4)) }

    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY",
    ]
}

private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPHeaders) { headers[key] = value }
}
