/// What the client notes about a request on its way.
extension TransportRequest {
    /// Whether the URL's origin may receive credentials, including a client certificate.
    ///
    /// The client sets this property for a transport that asks for it. Code that sends a request itself chose the URL.
    var isTrusted: Bool {
        get { storage.value.isTrusted }
        set { storage = storage.changed { $0.isTrusted = newValue } }
    }

    /// Whether the request is sent in addition to an equal request that has received no response for a while.
    var isHedge: Bool {
        get { storage.value.isHedge }
        set { storage = storage.changed { $0.isHedge = newValue } }
    }

    /// Whether the request follows a redirect, so that something was already sent for it.
    var isRedirected: Bool {
        get { storage.value.isRedirected }
        set { storage = storage.changed { $0.isRedirected = newValue } }
    }

    /// Whether the request has an origin that isn't trusted, or follows a redirect of one, so that it isn't signed.
    var isUntrusted: Bool {
        get { storage.value.isUntrusted }
        set { storage = storage.changed { $0.isUntrusted = newValue } }
    }

    /// What sends the request for several equal requests, if it is theirs.
    var shared: (any SharedSending)? {
        get { storage.value.shared }
        set { storage = storage.changed { $0.shared = newValue } }
    }

    /// A closure that is called when the request is sent or joins an equal request, and whenever content arrives.
    ///
    /// Unlike `progress`, it doesn't keep the request from joining an equal request, which reports no content.
    var onActivity: (@Sendable () -> Void)? {
        get { storage.value.onActivity }
        set { storage = storage.changed { $0.onActivity = newValue } }
    }

    /// The credential with which the request was signed, for the verdict on its response.
    var credential: (any Sendable)? {
        get { storage.value.credential }
        set { storage = storage.changed { $0.credential = newValue } }
    }

    /// The head of the request that this one continues, such as the one that began an upload.
    var original: RequestHead? {
        get { storage.value.original }
        set { storage = storage.changed { $0.original = newValue } }
    }

    /// How the request was prepared by its own code and its client's, for the client to prepare it again.
    var preparation: (any Sendable)? {
        get { storage.value.preparation }
        set { storage = storage.changed { $0.preparation = newValue } }
    }

    /// The client's header fields with which the request was built; nil if middleware has created the request.
    var defaults: HTTPHeaders? {
        get { storage.value.defaults }
        set { storage = storage.changed { $0.defaults = newValue } }
    }

    /// The authenticator's signature, which identifies the account for the cache.
    var signature: Boxed<Signature>? {
        get { storage.value.signature }
        set { storage = storage.changed { $0.signature = newValue } }
    }
}

/// Sends one request for several equal ones.
protocol SharedSending: Sendable {
    /// Whether all of them are suspended.
    var isSuspended: Bool { get }

    /// Waits until one of them isn't suspended.
    ///
    /// - Throws: `CancellationError` if the last of them leaves.
    func waitWhileSuspended() async throws

    /// Notes that the request is sent, after everything that it waited for.
    func noteTurn(_ sent: TransportRequest)
}
