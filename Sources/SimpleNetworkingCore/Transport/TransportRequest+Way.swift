import SimpleNetworkingSupport

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
    package var isDuplicate: Bool {
        get { storage.value.isDuplicate }
        set { storage = storage.changed { $0.isDuplicate = newValue } }
    }

    /// Whether the request follows a redirect, so that something was already sent for it.
    package internal(set) var isRedirected: Bool {
        get { storage.value.isRedirected }
        set { storage = storage.changed { $0.isRedirected = newValue } }
    }

    /// Whether the request has an origin that isn't trusted, or follows a redirect of one, so that it isn't signed.
    package internal(set) var isUntrusted: Bool {
        get { storage.value.isUntrusted }
        set { storage = storage.changed { $0.isUntrusted = newValue } }
    }

    /// What sends the request for several equal requests, if it is theirs.
    package var shared: (any SharedSending)? {
        get { storage.value.shared }
        set { storage = storage.changed { $0.shared = newValue } }
    }

    /// A closure that is called when the request, or an equal one that it has joined, is sent and receives content.
    ///
    /// Unlike `progress`, it doesn't keep the request from joining an equal request.
    package var onActivity: (@Sendable () -> Void)? {
        get { storage.value.onActivity }
        set { storage = storage.changed { $0.onActivity = newValue } }
    }

    /// A closure that is called with the status and the fields of a response whose content fails, unless it is streamed.
    ///
    /// What the head says counts all the same.
    package var onFailedHead: (@Sendable (Int, HTTPHeaders) -> Void)? {
        get { storage.value.onFailedHead }
        set { storage = storage.changed { $0.onFailedHead = newValue } }
    }

    /// A closure that is called with the request as it is sent, after everything that it waited for.
    ///
    /// If it then waits and is sent again, the closure is called again.
    package var onDeparture: (@Sendable (SentRequest) -> Void)? {
        get { storage.value.onDeparture }
        set { storage = storage.changed { $0.onDeparture = newValue } }
    }

    /// The credential with which the request was signed, for the verdict on its response.
    var credential: (any Sendable)? {
        get { storage.value.credential }
        set { storage = storage.changed { $0.credential = newValue } }
    }

    /// The head of the request that this one continues, such as the one that began an upload.
    package var original: RequestHead? {
        get { storage.value.original }
        set { storage = storage.changed { $0.original = newValue } }
    }

    /// How the request was prepared by its own code and its client's, for the client to prepare it again.
    var preparation: (any Sendable)? {
        get { storage.value.preparation }
        set { storage = storage.changed { $0.preparation = newValue } }
    }

    /// Whether nothing has set the body since it was the other request's.
    func hasBody(of other: TransportRequest) -> Bool {
        storage.value.bodyVersion === other.storage.value.bodyVersion
    }

    mutating func takeBody(of other: TransportRequest) {
        storage = storage.changed { [other = other.storage.value] values in
            values.body = other.body
            values.bodyVersion = other.bodyVersion
        }
    }

    /// The client's header fields with which the request was built; nil if middleware has created the request.
    var defaults: HTTPHeaders? {
        get { storage.value.defaults }
        set { storage = storage.changed { $0.defaults = newValue } }
    }

    /// What runs the client's tasks in a simulation; nil outside a simulation.
    package internal(set) var scheduler: Scheduler? {
        get { storage.value.scheduler }
        set { storage = storage.changed { $0.scheduler = newValue } }
    }

    /// The request without what belongs to the client, which a transport must not keep.
    var forTransport: TransportRequest {
        var request = self
        request.storage = storage.changed { values in
            values.preparation = nil
            values.shared = nil
            values.onDeparture = nil
        }
        return request
    }

    /// The authenticator's signature, which identifies the account.
    var signature: Boxed<Signature>? {
        get { storage.value.signature }
        set { storage = storage.changed { $0.signature = newValue } }
    }
}

/// Identifies a body that was set, because nothing else tells two streams apart.
final class BodyVersion: Sendable {}

/// A request as it was sent.
package struct SentRequest: Sendable {
    /// The request with its signature.
    package let signed: TransportRequest
    /// Its URL, which a signature may have changed.
    package let url: URL
    /// The number of seconds since it was sent.
    package let age: TimeInterval

    package init(signed: TransportRequest, url: URL, age: TimeInterval = 0) {
        self.signed = signed
        self.url = url
        self.age = age
    }
}

/// Sends one request for several equal ones.
package protocol SharedSending: Sendable {
    /// Whether all of them are suspended.
    var isSuspended: Bool { get }

    /// Waits until one of them isn't suspended.
    ///
    /// - Throws: `CancellationError` if the last of them leaves.
    func waitWhileSuspended() async throws

    /// Notes that the request is sent, after everything that it waited for.
    func noteTurn(_ sent: TransportRequest)
}
