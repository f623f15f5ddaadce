/// Remembers for whose sake a credential was refreshed, so that a resource that always refuses does not have it refreshed
/// again and again.
///
/// Many servers revoke the former token with each refresh, and so refuse the requests that are under way with it. A
/// resource that has refused both a credential and its successor therefore has to wait for a minute, unless it has
/// accepted one since. Nor may there be more than a few such resources a minute.
struct RefreshLimit {
    private struct Trial {
        let resource: RefusingResource
        /// The generation that was refused; the trial tells nothing until there is a newer one.
        let generation: CredentialGeneration
        let time: TimeInterval
    }

    /// Seconds that a trial lasts.
    static let span: TimeInterval = 60
    /// How many resources may have a credential refreshed without accepting the new one.
    static let limit = 3

    private var trials: [Trial] = []

    var isEmpty: Bool { trials.isEmpty }

    /// Tells whether a refresh may help a resource that refuses the credential of this generation.
    func permits(_ resource: RefusingResource, generation: CredentialGeneration, at now: TimeInterval) -> Bool {
        let vain = trials.filter { $0.generation < generation && now - $0.time < Self.span }
        return vain.count < Self.limit && !vain.contains { $0.resource == resource }
    }

    /// Notes that the credential of this generation is refreshed because a resource has refused it.
    mutating func begin(_ resource: RefusingResource, generation: CredentialGeneration, at now: TimeInterval) {
        trials.removeAll { $0.resource == resource || now - $0.time >= Self.span }
        trials.append(Trial(resource: resource, generation: generation, time: now))
    }

    /// Notes that a resource has accepted a credential.
    mutating func accept(_ resource: RefusingResource) { trials.removeAll { $0.resource == resource } }
}

/// Names what refuses credentials: a method and a URL, whose query may differ each time.
struct RefusingResource: Equatable, Sendable {
    private let name: String

    init(_ head: RequestHead) {
        let url = head.url.absoluteString
        name = head.method.rawValue + " " + url.prefix { $0 != "?" && $0 != "#" }
    }
}

/// Describes the refusal of an attempt.
struct CredentialRefusal: Sendable {
    /// Whether the same request has had the credential refreshed.
    enum History {
        case notRefreshed
        /// A refresh has brought this credential, or one before it, to the request.
        case refreshed
        /// The same, and the request then waited for its turn: meanwhile the server may have revoked the credential.
        case refreshedBeforeWait
    }

    /// The generation of the credential that the attempt carried.
    let stamp: CredentialGeneration
    let resource: RefusingResource
    private(set) var history: History

    init(
        of stamp: CredentialGeneration,
        by resource: RefusingResource,
        afterRefreshTo refreshedStamp: CredentialGeneration?
    ) {
        self.stamp = stamp
        self.resource = resource
        history = refreshedStamp.map { stamp >= $0 } ?? false ? .refreshed : .notRefreshed
    }

    /// Notes that the request waited for its turn after the refresh.
    mutating func noteWait() { history = .refreshedBeforeWait }
}
