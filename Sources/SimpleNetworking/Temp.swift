public struct Origin: Hashable, Sendable { let t: String; init?(_ u: URL) { t = (u.scheme ?? "") + (u.host ?? "") + "\(u.port ?? 0)" } }
public struct RetryPolicy: Sendable { public static let never = RetryPolicy() }
struct RedirectPolicy: Sendable { var trustedOrigins: Set<Origin>; var secretNames: Set<String>; var allowsInsecure: Bool }
extension RequestHead { func validate() throws(SimpleNetworkingError) {} }
struct URLSessionTransport: Transport { init(session: URLSession) {}; init(configuration: URLSessionConfiguration) {}
  func send(_ request: TransportRequest) async throws -> TransportResponse { throw CancellationError() } }
struct RetryStage: Stage { let plan: RequestPlan
    let log: EventLog
    func intercept(_ request: TransportRequest, next: @Sendable (TransportRequest) async throws -> Exchange) async throws -> Exchange {
        log.recordAttempt(request.head); return try await next(request)} }
struct RedirectStage: Stage { let plan: RequestPlan
    let log: EventLog
    func intercept(_ request: TransportRequest, next: @Sendable (TransportRequest) async throws -> Exchange) async throws -> Exchange { try await next(request)} }
extension HTTPHeaders { init(_ c: URLSessionConfiguration) { self.init() } }
