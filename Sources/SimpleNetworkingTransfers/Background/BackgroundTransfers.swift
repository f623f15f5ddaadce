import SimpleNetworkingFeatureSupport

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
/// The system's background `URLSession` makes the transfers. Create an object for each identifier whenever your app
/// launches, because it also receives the transfers that finished while your app wasn't running. Handlers can't outlive
/// your app, so finished transfers arrive in ``finished``, and the request's handlers don't run. The results aren't
/// stored: if your app ends before it handles a result, the system doesn't deliver the result again. Keep your own list
/// of IDs, and compare it with ``finished`` and ``unfinished()``.
///
/// - The client prepares a request as usual before `start` returns: its hooks, authenticator, middleware and the
///   limits of features apply. Hooks and middleware receive a response with the status 202 in place of the server's. Afterwards,
///   your app's code doesn't run until the transfer has finished, so nothing refreshes a credential, retries the
///   request, or stores the response or its cookies. After a 401, start the request again.
/// - The system follows all redirects, and may send the request's header fields to another origin, including fields
///   that the authenticator, the cookie jar and middleware have added. If the redirect policy is `.never`, `start`
///   throws `.invalidRequest`.
/// - The client's `timeout` and `deadline` apply only until the transfer has started. Then the limits of the session's
///   configuration apply, by default 7 days for a transfer.
/// - The system stores the request with its header fields, decides when it transfers, resends an interrupted request
///   without asking, and ends all transfers when the user forces an iOS app to quit.
/// - The session has its own configuration, so pins, client certificates and proxies of the client's transport don't
///   apply. Configure the session the same way at each launch. An app extension needs its own identifier, a
///   `sharedContainerIdentifier`, and a destination in the shared container.
/// - The file of an upload must exist, and be readable while the device is locked, until the transfer has finished.
///
/// On Linux, `start` throws `.invalidRequest`, because there are no background sessions. On Apple platforms, this class
/// is untested.
public final class BackgroundTransfers: Sendable {
    /// What all objects with the same identifier share.
    private struct Shared: Sendable {
        let queue: TransferQueue
        let session: (any BackgroundSession)?
    }

    /// The sessions of the process.
    ///
    /// The system has one session for each identifier, which can't be created again after it was invalidated.
    private static let shared = Locked([String: Shared]())

    private let identifier: String
    private let shared: Shared

    /// The transfers that have finished, in the order in which they finished.
    ///
    /// Transfers wait in memory until a task iterates over the sequence. Each transfer is delivered once, also if
    /// several objects have the same identifier.
    public var finished: FinishedTransfers { FinishedTransfers(queue: shared.queue) }

    #if canImport(Darwin)
        /// Creates a background session, and continues to receive its transfers after your app is relaunched.
        ///
        /// - Parameters:
        ///   - identifier: A name that is unique in your app and the same at each launch. If another object was created
        ///     with the same identifier, both use the session of the first object.
        ///   - configure: A closure that changes the session's configuration, such as `isDiscretionary`. The default is
        ///     nil.
        public convenience init(identifier: String, _ configure: ((URLSessionConfiguration) -> Void)? = nil) {
            let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCredentialStorage = nil
            configure?(configuration)
            self.init(identifier: identifier) { SystemBackgroundSession(configuration, $0) }
        }
    #else
        /// Creates an object whose `start` throws an error, because this platform has no background sessions.
        ///
        /// On Apple platforms, a second parameter changes the session's configuration.
        ///
        /// - Parameter identifier: A name that is unique in your app and the same at each launch.
        public convenience init(identifier: String) { self.init(identifier: identifier) { _ in nil } }
    #endif

    /// `makeSession` isn't called if the identifier has a session.
    init(identifier: String, makeSession: (BackgroundReceiver) -> (any BackgroundSession)?) {
        self.identifier = identifier
        shared = Self.shared.withLock { all in
            if let shared = all[identifier] { return shared }
            let queue = TransferQueue()
            let shared = Shared(queue: queue, session: makeSession(BackgroundReceiver(queue)))
            all[identifier] = shared
            return shared
        }
    }

    /// Starts the transfer of a request that downloads to a file, or whose body is a file.
    ///
    /// When this method returns, the system has taken over the transfer, which continues even if your app is suspended
    /// or terminated.
    ///
    /// - Parameters:
    ///   - request: A request with `download(to:)`, or with `body(file:contentType:)`, but not with both. Its handlers
    ///     don't run. The folder of a download's file must exist.
    ///   - client: The client that prepares the request.
    ///   - id: The ID of the finished transfer, which no other unfinished transfer has. The default is a new UUID.
    /// - Returns: The ID.
    /// - Throws: `SimpleNetworkingError`, or `CancellationError` if the task was cancelled; then nothing was started.
    ///   The error is `.invalidRequest` if the request can't be transferred in the background.
    @discardableResult
    public func start(
        _ request: SimpleRequest,
        on client: SimpleNetworking,
        id: String = UUID().uuidString
    ) async throws -> String {
        guard let session = shared.session else {
            throw Self.refusal("background transfers need URLSession on an Apple platform")
        }
        let started = request.withoutHandlers()
        guard started.redirectPolicy ?? client.configuration.redirectPolicy != .never else {
            throw Self.refusal("the system follows all redirects of background transfers")
        }
        let transport = try BackgroundTransport(session, started, id: id)
        do {
            _ = try await client.send(started, to: BackgroundStart(transport: transport))
        } catch {
            // A hook may reject the response that stands for the start.
            guard transport.abandon() else { throw error }
        }
        guard transport.abandon() else {
            throw Self.refusal("a hook, middleware or the cache has answered the request, so nothing was started")
        }
        return id
    }

    /// Returns the IDs of the transfers that haven't finished, including those of earlier launches, sorted.
    public func unfinished() async -> [String] {
        let descriptions = await shared.session?.descriptions() ?? []
        return descriptions.compactMap { BackgroundRecord($0)?.id }.sorted()
    }

    /// Cancels a transfer, which then finishes with `.cancelled`.
    public func cancel(_ id: String) async { await shared.session?.cancel { BackgroundRecord($0)?.id == id } }

    /// Calls a closure on the main actor when all events are handled for which the system launched your app.
    ///
    /// Call this method in your app delegate's `application(_:handleEventsForBackgroundURLSession:completionHandler:)`,
    /// with its arguments. Events are handled when an iteration over ``finished`` asks for the next transfer, and at
    /// the latest ten seconds after the system has delivered all events.
    ///
    /// - Returns: Whether the identifier is this object's. If it is false, the closure isn't called.
    @MainActor @discardableResult
    public func handleEvents(for identifier: String, completionHandler: @escaping () -> Void) -> Bool {
        guard identifier == self.identifier else { return false }
        shared.queue.whenEventsAreHandled { completionHandler() }
        return true
    }

    private static func refusal(_ reason: String) -> SimpleNetworkingError { .invalidRequest(reason: reason, nil) }
}
