/// Uploads and downloads files while your app is suspended or not running, on Apple platforms.
///
/// ```swift
/// let transfers = BackgroundTransfers(identifier: "com.example.films")
///
/// func follow() async {
///     for await transfer in transfers.finished {
///         print(transfer.id, transfer.file ?? "no file", transfer.result)
///     }
/// }
///
/// func fetch(_ film: String, to file: URL) async throws {
///     try await transfers.start(SimpleNetworking.get("/films/\(film)").download(to: file), on: api, id: film)
/// }
/// ```
///
/// The system's background `URLSession` makes the transfers. Create one object for each identifier when your app
/// launches, and keep it: the object then also receives the transfers that finished while your app wasn't running.
/// Handlers can't outlive your app, so finished transfers arrive in ``finished``, and the request's handlers don't run.
///
/// - Before `start` returns, the client prepares the request as usual, with its hooks, authenticator, middleware and
///   traffic limits. Afterward, your app's code doesn't run until the transfer is finished, so nothing refreshes a
///   credential, follows a retry policy or caches the response. After a 401, start the request again.
/// - The system follows redirects by itself, and may send the request's header fields to another origin. If your
///   server redirects, don't put credentials in the header fields.
/// - The client's `timeout` and `deadline` apply until the transfer has started. Then the limits of the session's
///   configuration apply. By default, a transfer may take 7 days.
/// - The system decides when to transfer, ends all transfers when the user quits the app, and resends interrupted
///   requests automatically.
/// - The object's session has its own configuration, not the configuration of the client's transport. The client's
///   pins, client certificates and proxies don't apply.
///
/// On Linux, `start` throws `.invalidRequest`, because there are no background sessions. On Apple platforms, this class
/// is untested.
public final class BackgroundTransfers: Sendable {
    private let identifier: String
    private let receiver: BackgroundReceiver
    /// The session, or why there is none.
    private let session: Result<any BackgroundSession, SimpleNetworkingError>
    /// Whether this object keeps other objects from using the identifier.
    private let isOwner: Bool

    /// The finished transfers, each delivered once, in the order in which they finished.
    ///
    /// Only one task can iterate over the sequence. Transfers that finish earlier wait in memory.
    public let finished: AsyncStream<FinishedTransfer>

    /// The identifiers in use: the system allows one session for each.
    private static let identifiers = Locked(Set<String>())

    /// Creates a background session, and continues to receive its transfers after your app is relaunched.
    ///
    /// - Parameters:
    ///   - identifier: A name that is unique in your app and the same at each launch. While another object with the same
    ///     identifier exists, `start` throws `.invalidRequest`.
    ///   - configure: A closure that changes the session's configuration, such as `isDiscretionary`. The default is nil.
    public convenience init(identifier: String, _ configure: ((URLSessionConfiguration) -> Void)? = nil) {
        #if canImport(Darwin)
            self.init(identifier: identifier) { SystemBackgroundSession(identifier, configure, $0) }
        #else
            self.init(identifier: identifier) { _ in nil }
        #endif
    }

    /// `makeSession` isn't called if the identifier is in use.
    init(identifier: String, makeSession: (BackgroundReceiver) -> (any BackgroundSession)?) {
        let (finished, continuation) = AsyncStream.makeStream(of: FinishedTransfer.self)
        let receiver = BackgroundReceiver(continuation)
        let isOwner = Self.identifiers.withLock { $0.insert(identifier).inserted }
        self.identifier = identifier
        self.finished = finished
        self.receiver = receiver
        self.isOwner = isOwner
        if !isOwner {
            session = .failure(.invalidRequest(reason: "another object has the identifier \(identifier)", nil))
        } else if let made = makeSession(receiver) {
            session = .success(made)
        } else {
            let reason = "background transfers need URLSession on an Apple platform"
            session = .failure(.invalidRequest(reason: reason, nil))
        }
    }

    deinit {
        try? session.get().finish()
        if isOwner { _ = Self.identifiers.withLock { $0.remove(identifier) } }
    }

    /// Starts the transfer of a request that downloads to a file, or whose body is a file.
    ///
    /// When this method returns, the system has taken over the transfer, which continues even if your app is suspended
    /// or terminated. The file of an upload must exist until the transfer has finished.
    ///
    /// - Parameters:
    ///   - request: A request with `download(to:)`, or with `body(file:contentType:)`, but not with both. Its handlers
    ///     don't run.
    ///   - client: The client that prepares the request.
    ///   - id: The ID that identifies the transfer. The default is a new UUID.
    /// - Returns: The ID.
    /// - Throws: `SimpleNetworkingError`, or `CancellationError` if the task was cancelled. In either case, nothing was
    ///   started. The error is `.invalidRequest` if the request can't be transferred in the background.
    @discardableResult
    public func start(
        _ request: SimpleRequest,
        on client: SimpleNetworking,
        id: String = UUID().uuidString
    ) async throws -> String {
        let specification = request.state.withLock { said in
            // The request itself need not be executed.
            said.isCopied = true
            return said.specification
        }
        let transport = try BackgroundTransport(session.get(), specification, id: id)
        do {
            _ = try await client.send(SimpleRequest(specification), to: .background(transport))
        } catch {
            // A hook may reject the response that stands for the start.
            guard transport.hasStarted else { throw error }
        }
        return id
    }

    /// Returns the sorted IDs of all unfinished transfers, including transfers from earlier launches.
    public func unfinished() async -> [String] {
        guard let descriptions = try? await session.get().descriptions() else { return [] }
        return descriptions.compactMap { BackgroundRecord($0)?.id }.sorted()
    }

    /// Cancels a transfer, which then finishes with `.cancelled`.
    public func cancel(_ id: String) async {
        try? await session.get().cancel { BackgroundRecord($0)?.id == id }
    }

    /// Calls a closure on the main queue when the system has delivered all events for which it launched your app.
    ///
    /// Call this method in your app delegate's `application(_:handleEventsForBackgroundURLSession:completionHandler:)`,
    /// with the completion handler.
    public func handleEvents(completionHandler: @escaping @Sendable () -> Void) {
        receiver.waitForEvents(completionHandler)
    }
}
