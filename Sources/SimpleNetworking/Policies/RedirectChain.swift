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

    private let policy: RedirectPolicy
    private let trusted: Set<Origin>
    private let sharing: FieldSharing
    private var head: RequestHead
    private var hasBody: Bool
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
            url = try AddressParts(resolving: location, against: head.url).url()
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
}
