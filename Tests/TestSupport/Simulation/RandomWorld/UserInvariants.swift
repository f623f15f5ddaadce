import Foundation
import SimpleNetworking
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// Nothing is sent with the credential or the cookies of a user who has signed out, nor with those of the next user.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class OwnUser: Invariant {
    private let scene: RandomScene
    /// The sessions of the first credentials of executions, by their places.
    private let first = Locked<[Int: Int]>([:])

    init(_ scene: RandomScene) { self.scene = scene }

    func check(_ sent: SentRequest) {
        let pairs = (sent.request.headers["Cookie"] ?? "").components(separatedBy: "; ")
        let cookies = pairs.map { ("a cookie", $0.components(separatedBy: "=").last ?? "") }
        let credentials = sent.request.headers["Authorization"].map { [("the credential", $0)] } ?? []
        for (kind, value) in credentials + cookies {
            guard let session = RandomUsers.session(in: value) else { continue }
            let owner = owner(of: sent, with: session)
            scene.world.expect(
                session == sent.session && session == owner,
                "\(sent.name) of session \(owner) has \(kind) of session \(session) in session \(sent.session)"
            )
        }
    }

    /// The session of the user for whom a request is sent.
    private func owner(of sent: SentRequest, with session: Int) -> Int {
        guard let entry = sent.entry else { return session }
        guard scene.users.bearer != nil else { return entry.session }
        // A request belongs to the first credential that its task reads, and not to the one when it was executed.
        return first.withLock { first in
            let owner = first[entry.place] ?? session
            first[entry.place] = owner
            return owner
        }
    }
}

/// What a refresh or the program has replaced isn't sent any more.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct Freshness: Invariant {
    private let scene: RandomScene

    init(_ scene: RandomScene) { self.scene = scene }

    func check(_ sent: SentRequest) {
        // A former user's redirect goes on without what belongs to the client.
        guard sent.isTrusted, let client = scene.client, sent.entry?.session ?? sent.session == sent.session else {
            return
        }
        let headers = sent.request.headers
        if let field = headers["Authorization"] {
            let current = scene.users.currentField
            scene.world.expect(field == current, "\(sent.name) has \(field), but \(current ?? "nothing") is current")
        }
        // What comes back from another server has only what that server saw.
        if sent.entry?.traits.path == "/around", sent.request.url.path != "/around" { return }
        let version = client.defaultHeaders["X-Version"]
        // What other code has seen isn't prepared again, nor is what was redirected.
        let isSeen = !client.configuration.middleware.allSatisfy { $0 is any DepartureMiddleware }
        let mayBePreparedAgain = !isSeen && sent.request.url.path == sent.entry?.traits.path
        for name in mayBePreparedAgain ? ["X-Version", "X-Prepared"] : ["X-Version"] {
            guard let value = headers[name] else { continue }
            scene.world.expect(
                value == version,
                "\(sent.name) has \(value) in \(name), but \(version ?? "nothing") is current"
            )
        }
    }
}
