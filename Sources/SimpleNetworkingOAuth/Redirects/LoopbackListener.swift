import SimpleNetworkingSupport

/// Receives the redirect of a sign-in on this machine, for tools that URLs can't open (RFC 8252 §7.3).
///
/// It listens only on 127.0.0.1, responds to the expected redirect with a short page, and closes. Other requests get
/// an error page, and the listener keeps waiting.
///
/// ```text
/// let listener = try LoopbackListener()
/// let request = try AuthorizationRequest(configuration, redirectURI: listener.redirectURI)
/// open(request.url)
/// let redirect = try await listener.redirect { request.recognizes($0) }
/// ```
package actor LoopbackListener {
    /// The URL to redirect the browser to, such as `http://127.0.0.1:49152/callback`.
    package nonisolated let redirectURI: URL
    private var socket: Int32?

    /// Starts listening; responses are sent by ``redirect(within:accepting:)``.
    ///
    /// - Parameters:
    ///   - path: The path of the URL. The default is `/callback`.
    ///   - port: The port, for servers that require a registered one. The default is 0, which selects any free port.
    /// - Throws: `OAuthError.cannotListen`, for example, if the port is taken.
    package init(path: String = "/callback", port: UInt16 = 0) throws(OAuthError) {
        let (socket, port) = try RedirectSocket.listening(port: port)
        guard path.hasPrefix("/"), !path.contains("?"), !path.contains("#"),
            let url = URL(string: "http://127.0.0.1:\(port)\(path)")
        else {
            RedirectSocket.close(socket)
            throw .cannotListen(reason: "“\(path)” is not a path")
        }
        self.socket = socket
        redirectURI = url
    }

    deinit {
        if let socket { RedirectSocket.close(socket) }
    }

    /// Waits for the redirect, and then stops listening.
    ///
    /// - Parameters:
    ///   - seconds: How long to wait. The default is 300.
    ///   - isLastResort: Returns whether to return a URL after the timeout if the expected one hasn't arrived; called
    ///     on the listener's own thread. The default is never.
    ///   - accepts: Returns whether a URL is the expected one; called on the listener's own thread. Use
    ///     ``AuthorizationRequest/recognizes(_:)``.
    /// - Returns: The URL that the browser was redirected to.
    /// - Throws: `OAuthError.timedOut`, `.cannotListen`, `.alreadyFinished` for a second call, or `CancellationError`.
    package func redirect(
        within seconds: TimeInterval = 300,
        orAtTheEnd isLastResort: @escaping @Sendable (URL) -> Bool = { _ in false },
        accepting accepts: @escaping @Sendable (URL) -> Bool
    ) async throws -> URL {
        guard let socket = socket.take() else { throw OAuthError.alreadyFinished }
        defer { RedirectSocket.close(socket) }
        let alarm = try RedirectSocket.pipe()
        defer {
            RedirectSocket.close(alarm.reader)
            RedirectSocket.close(alarm.writer)
        }
        let server = RedirectServer(
            listener: socket,
            alarm: alarm.reader,
            seconds: seconds,
            redirectURI: redirectURI,
            isLastResort: isLastResort,
            accepts: accepts
        )
        // The sockets are closed after this, when neither the thread nor the handler uses them.
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A queue of its own has its own thread, which the server may block.
                DispatchQueue(label: "SimpleNetworking.LoopbackListener").async {
                    continuation.resume(with: Result { try server.run() })
                }
            }
        } onCancel: {
            RedirectSocket.ring(alarm.writer)
        }
    }
}
