import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// A request that must not be sent twice isn't sent again by the client itself, unless the server has refused it or
/// nothing has left the machine.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class NoRepetition: Invariant {
    /// What became of a client's request, since the user last asked for it.
    private struct Story {
        var wishes: Int
        /// The URLs at which the server may have carried it out, and those at which it has.
        var spent: Set<URL> = []
        var carriedOut: Set<URL> = []
        /// Where its redirect leads.
        var location: String?
    }

    private let scene: RandomScene
    private let stories = Locked<[Int: Story]>([:])

    init(_ scene: RandomScene) { self.scene = scene }

    func check(_ sent: SentRequest) {
        guard sent.isUnrepeatable, let number = sent.request.number else { return }
        let (wishes, url) = (sent.entry?.wishes ?? 0, sent.request.url)
        let policy = sent.entry?.traits.retryPolicy ?? scene.client?.configuration.retryPolicy ?? .never
        let (isSpent, isCarriedOut) = stories.withLock { stories -> (Bool, Bool) in
            var story = stories[number] ?? Story(wishes: wishes)
            if story.wishes != wishes { story = Story(wishes: wishes) }
            let isRedirect = story.location.map { url.absoluteString.hasSuffix($0) } ?? false
            let former = (!isRedirect && story.spent.contains(url), !isRedirect && story.carriedOut.contains(url))
            story.location = nil
            story.spent.insert(url)
            stories[number] = story
            return former
        }
        if policy.repeatsAnyMethod { return }
        scene.world.expect(!isCarriedOut, "\(sent.name) is sent again, though it was carried out")
        scene.world.expect(!isSpent, "\(sent.name) is sent again, though it may have been carried out")
    }

    func noteEnd(_ end: SentRequest.End, of sent: SentRequest) {
        guard sent.isUnrepeatable, let number = sent.request.number else { return }
        let url = sent.request.url
        stories.withLock { stories in
            switch end {
            case .success(let response):
                if (200...399).contains(response.httpStatus) { stories[number]?.carriedOut.insert(url) }
                if (300...399).contains(response.httpStatus) {
                    stories[number]?.location = response.headers["Location"]
                }
                if [401, 417].contains(response.httpStatus) { stories[number]?.spent.remove(url) }
            case .failure(let error):
                let kind = SentRequest.kind(of: error)
                if kind == .offline || kind == .cannotConnect { stories[number]?.spent.remove(url) }
            }
        }
    }
}

/// Nothing is sent for a suspended request.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct Suspended: Invariant {
    private let scene: RandomScene

    init(_ scene: RandomScene) { self.scene = scene }

    func check(_ sent: SentRequest) {
        guard let entry = sent.entry, entry.isSuspended else { return }
        // Transfers that several requests share are suspended when all of them are.
        let client = scene.client
        let others = scene.ledger.entries.contains { $0.isActive && !$0.isSuspended && $0.coalesces(on: client) }
        // It is cancelled a moment after the last of them has ended.
        let isShared = entry.coalesces(on: client) && (others || !entry.isActive)
        scene.world.expect(isShared, "\(sent.name) is sent, though it is suspended")
    }
}

/// Nothing is sent for a request while a newer one with its key, which was sent before, goes on.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class Replacement: Invariant {
    private let scene: RandomScene
    private let sentPlaces = Locked<Set<Int>>([])

    init(_ scene: RandomScene) { self.scene = scene }

    func check(_ sent: SentRequest) {
        guard let entry = sent.entry, let key = entry.traits.key else { return }
        let place = entry.place
        let former = sentPlaces.withLock { places in
            defer { places.insert(place) }
            return places
        }
        // A shared transfer is cancelled a moment after the last of its requests.
        if entry.coalesces(on: scene.client) { return }
        let newer = scene.ledger.entries.first { other in
            other.traits.key == key && other.place > place && other.isActive && former.contains(other.place)
        }
        scene.world.expect(newer == nil, "\(sent.name) is sent, though \(newer?.id ?? "") has replaced it")
    }
}
