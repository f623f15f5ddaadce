/// The redirects of one attempt: decides for each answer whether and how to go on, and does no work itself.
struct RedirectChain {
    /// The next request of the chain.
    struct Step: Equatable {
        var head: RequestHead
        /// Whether the content is sent again.
        var keepsBody: Bool
        /// The names of the fields that were taken out since the new origin is not trusted.
        var droppedCredentials: [String]
    }

    enum Decision: Equatable {
        case follow(Step)
        /// The answer is no redirect, or shall not be followed: it is the attempt's answer.
        case stop
        case refuse(reason: String)
    }

    private struct Visit: Hashable {
        let method: HTTPMethod
        let url: URL
        let hasBody: Bool
    }

    private let policy: RedirectPolicy
    private let trusted: Set<Origin>
    private let sharing: FieldSharing
    private var head: RequestHead
    private var hasBody: Bool
    private var visits: Set<Visit>
    /// How many redirects were followed.
    private(set) var count = 0

    /// - Parameters:
    ///   - policy: Which redirects are followed.
    ///   - head: The request as it was first sent.
    ///   - hasBody: Whether it had content.
    ///   - trusted: The origins that may see all fields.
    ///   - sharing: Which fields any origin may see.
    init(
        _ policy: RedirectPolicy,
        head: RequestHead,
        hasBody: Bool,
        trusted: Set<Origin>,
        sharing: FieldSharing = FieldSharing()
    ) {
        self.policy = policy
        self.trusted = trusted
        self.sharing = sharing
        self.head = head
        self.hasBody = hasBody
        visits = [Visit(method: head.method, url: head.url, hasBody: hasBody)]
    }

    /// Decides what follows on an answer to the latest request of the chain.
    mutating func next(status: Int, headers: HTTPHeaders) -> Decision {
        guard policy.limit > 0, [301, 302, 303, 307, 308].contains(status) else { return .stop }
        let locations = Set(headers.values(for: "Location")).subtracting([""])
        guard let location = locations.first else { return .stop }
        guard locations.count == 1 else { return .refuse(reason: "it names more than one address") }
        guard count < policy.limit else { return .refuse(reason: "there were more than \(policy.limit) redirects") }

        let url: URL
        do {
            url = try AddressParts(resolving: Self.decoded(location), against: head.url).url()
        } catch {
            guard case .invalidURL(let text, let reason) = error else { return .refuse(reason: "\(error)") }
            return .refuse(reason: "its address “\(text)” cannot be used: \(reason)")
        }
        guard let old = Origin(head.url), let new = Origin(url) else {
            return .refuse(reason: "its address “\(Redaction.text(of: url))” cannot be used")
        }
        if old.scheme == "https", new.scheme == "http", !policy.allowsDowngrade {
            return .refuse(reason: "it leads from https to http")
        }

        let step = step(to: url, status: status, changesOrigin: old != new, isTrusted: trusted.contains(new))
        // A cookie changes what the same address answers, so only a walk without one is a circle.
        if headers.contains("Set-Cookie") { visits.removeAll() }
        guard visits.insert(Visit(method: step.head.method, url: url, hasBody: step.keepsBody)).inserted else {
            return .refuse(reason: "it leads in a circle, back to \(Redaction.text(of: url))")
        }
        head = step.head
        hasBody = step.keepsBody
        count += 1
        return .follow(step)
    }

    private func step(to url: URL, status: Int, changesOrigin: Bool, isTrusted: Bool) -> Step {
        var step = Step(head: head, keepsBody: hasBody, droppedCredentials: [])
        step.head.url = url
        let becomesGet =
            switch status {
            case 301, 302: head.method == .post
            case 303: head.method != .get && head.method != .head
            default: false
            }
        if becomesGet {
            step.head.method = .get
            step.keepsBody = false
            step.head.headers.filter { !Self.describesContent($0.name) }
        }
        if changesOrigin { step.head.headers["Host"] = nil }
        if !isTrusted {
            step.droppedCredentials = step.head.headers.removePrivate(sharing)
        }
        return step
    }

    private static func describesContent(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("content-") || ["transfer-encoding", "expect", "trailer"].contains(name)
    }

    /// Servers send UTF-8, but an engine may have read it as Latin-1: then the bytes are read again.
    private static func decoded(_ location: String) -> String {
        guard location.utf8.contains(where: { $0 > 0x7F }), location.unicodeScalars.allSatisfy({ $0.value <= 0xFF })
        else { return location }
        return String(data: Data(location.unicodeScalars.map { UInt8($0.value) }), encoding: .utf8) ?? location
    }
}
