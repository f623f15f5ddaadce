import SimpleNetworkingSupport

/// Limits the refreshes caused by resources that reject every credential.
///
/// With each refresh, many servers revoke the former token, and therefore reject the requests that are in flight with
/// it. A resource that has rejected both a credential and its successor causes no refresh for a minute, unless the
/// resource has accepted a credential since. The number of such resources per minute is also limited.
struct RefreshLimit {
    private struct Trial {
        let resource: RefusingResource
        /// The generation that was rejected.
        ///
        /// The trial has no effect until there is a newer generation.
        let generation: CredentialGeneration
        let time: TimeInterval
    }

    /// The duration of a trial, in seconds.
    static let span: TimeInterval = 60
    /// The maximum number of resources that may cause a refresh without accepting the new credential.
    static let limit = 3

    private var trials: [Trial] = []

    var isEmpty: Bool { trials.isEmpty }

    /// Returns whether a refresh may help a resource that rejects the credential of this generation.
    func permits(_ resource: RefusingResource, generation: CredentialGeneration, at now: TimeInterval) -> Bool {
        let vain = trials.filter { $0.generation < generation && now - $0.time < Self.span }
        return vain.count < Self.limit && !vain.contains { $0.resource == resource }
    }

    /// Notes that the credential of this generation is refreshed because a resource rejected it.
    mutating func begin(_ resource: RefusingResource, generation: CredentialGeneration, at now: TimeInterval) {
        trials.removeAll { $0.resource == resource || now - $0.time >= Self.span }
        trials.append(Trial(resource: resource, generation: generation, time: now))
    }

    /// Notes that a resource has accepted a credential.
    mutating func accept(_ resource: RefusingResource) { trials.removeAll { $0.resource == resource } }
}

/// Identifies a resource that rejects credentials by a method and a URL without its query, which may vary.
struct RefusingResource: Equatable, Sendable {
    private let name: String

    init(_ head: RequestHead) {
        let url = head.url.absoluteString
        name = head.method.rawValue + " " + url.prefix { $0 != "?" && $0 != "#" }
    }
}

/// Describes the rejection of an attempt.
package struct CredentialRefusal: Sendable {
    /// Whether the same request has already caused a refresh.
    enum History {
        case notRefreshed
        /// A refresh has brought this credential, or an earlier credential, to the request.
        case refreshed
        /// After a refresh, the request waited for its turn.
        ///
        /// In the meantime, the server may have revoked the credential.
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
