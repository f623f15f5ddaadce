/// Receives the redirect of a sign-in on this machine, for tools without an address that opens them (RFC 8252 §7.3).
///
/// It listens on 127.0.0.1 alone, answers the one redirect that is waited for with a short page, and closes. Whatever else
/// comes, other paths, another state, browsers that connect and say nothing, gets an error and does not end the wait.
///
/// ```text
/// let listener = try LoopbackListener()
/// let request = try AuthorizationRequest(configuration, redirectURI: listener.redirectURI)
/// open(request.url)
/// let redirect = try await listener.redirect { request.recognizes($0) }
/// ```
public actor LoopbackListener {
    /// The address to have the browser sent back to, such as `http://127.0.0.1:49152/callback`.
    public nonisolated let redirectURI: URL
    private var socket: Int32?

    /// Begins to listen; nothing is answered before ``redirect(within:accepting:)``.
    ///
    /// - Parameters:
    ///   - path: The path of the address. The default is `/callback`.
    ///   - port: The port, for servers that want it registered. The default is 0: any that is free.
    /// - Throws: `OAuthError.cannotListen`, for example since the port is taken.
    public init(path: String = "/callback", port: UInt16 = 0) throws(OAuthError) {
        let (socket, port) = try LoopbackSocket.listening(port: port)
        guard path.hasPrefix("/"), !path.contains("?"), !path.contains("#"),
            let url = URL(string: "http://127.0.0.1:\(port)\(path)")
        else {
            LoopbackSocket.close(socket)
            throw .cannotListen(reason: "“\(path)” is no path of an address")
        }
        self.socket = socket
        redirectURI = url
    }

    deinit {
        if let socket { LoopbackSocket.close(socket) }
    }

    /// Waits for the redirect, and closes.
    ///
    /// - Parameters:
    ///   - seconds: How long to wait. The default is 300.
    ///   - accepts: Tells whether an address is the one waited for; runs on a thread of the listener's own. Give it
    ///     ``AuthorizationRequest/recognizes(_:)``.
    /// - Returns: The address, as the browser was sent to it.
    /// - Throws: `OAuthError.timedOut`, `.cannotListen`, `.alreadyFinished` for a second call, or `CancellationError`.
    public func redirect(
        within seconds: TimeInterval = 300,
        accepting accepts: @escaping @Sendable (URL) -> Bool
    ) async throws -> URL {
        guard let socket = socket.take() else { throw OAuthError.alreadyFinished }
        defer { LoopbackSocket.close(socket) }
        let alarm = try LoopbackSocket.pipe()
        defer {
            LoopbackSocket.close(alarm.reader)
            LoopbackSocket.close(alarm.writer)
        }
        let server = LoopbackServer(
            listener: socket,
            alarm: alarm.reader,
            seconds: seconds,
            redirectURI: redirectURI,
            accepts: accepts
        )
        // The sockets are closed only after this: then neither the thread nor the handler touches them any more.
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result { try server.run() }) }
            }
        } onCancel: {
            LoopbackSocket.ring(alarm.writer)
        }
    }
}
