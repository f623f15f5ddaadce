import SimpleNetworkingSupport

/// Tracks the redirects of one attempt, and decides for each response whether and how to continue.
package struct RedirectChain {
    /// The next request.
    struct Step: Equatable {
        var head: RequestHead
        /// Whether the body is sent again.
        var keepsBody: Bool
        /// The names of the fields that were removed because the new origin isn't trusted.
        var removedFields: [String]
    }

    enum Decision: Equatable {
        case follow(Step)
        /// The response is final: it isn't a redirect, or the policy doesn't follow it.
        case stop
        case refuse(reason: String)
    }

    let policy: RedirectPolicy
    /// The latest request.
    var head: RequestHead
    private(set) var hasBody: Bool
    /// The origins that may receive all fields; other origins receive only shared ones.
    let trusted: Set<Origin>
    var sharing = CrossOriginFields()
    /// The number of redirects followed.
    private(set) var count = 0

    /// The statuses that are followed if the response has a `Location`.
    package static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Decides how to continue after the response to the latest request.
    mutating func next(status: Int, headers: HTTPHeaders) -> Decision {
        guard policy.limit > 0, Self.statuses.contains(status) else { return .stop }
        let locations = Set(headers.values(for: "Location")).subtracting([""])
        guard let location = locations.first else { return .stop }
        guard locations.count == 1 else { return .refuse(reason: "it names more than one URL") }
        guard count < policy.limit else { return .refuse(reason: "there were more than \(policy.limit) redirects") }

        let url: WrittenURL
        do {
            url = try URLParts(resolving: location, against: head.written.text).written()
        } catch {
            return .refuse(reason: "its URL “\(error.text)” is invalid: \(error.reason)")
        }
        guard let old = Origin(head.url), let new = Origin(url.url) else {
            return .refuse(reason: "its URL “\(Redaction.text(of: url.url))” has no origin")
        }
        if let reason = policy.refusal(of: url.url, from: head.url) { return .refuse(reason: reason) }

        let step = step(to: url, status: status, changesOrigin: old != new, isTrusted: trusted.contains(new))
        head = step.head
        hasBody = step.keepsBody
        count += 1
        return .follow(step)
    }

    private func step(to url: WrittenURL, status: Int, changesOrigin: Bool, isTrusted: Bool) -> Step {
        var step = Step(head: head, keepsBody: hasBody, removedFields: [])
        step.head.written = url
        // 307 and 308 repeat the method.
        let isRewritten = status < 303 && head.method == .post && !policy.keepsMethod
        if status == 303 ? head.method != .get && head.method != .head : isRewritten {
            step.head.method = .get
            step.keepsBody = false
            step.head.headers.filter { !Self.describesContent($0.name.lowercased()) }
        }
        if changesOrigin { step.head.headers["Host"] = nil }
        if !isTrusted { step.removedFields = step.head.headers.removePrivate(sharing) }
        return step
    }

    private static func describesContent(_ name: String) -> Bool {
        let names = ["digest", "repr-digest", "last-modified", "transfer-encoding", "expect", "trailer"]
        return name.hasPrefix("content-") || names.contains(name)
    }
}
