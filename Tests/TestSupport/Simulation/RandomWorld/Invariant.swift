import Foundation
import SimpleNetworking
import SimpleNetworkingTesting

/// Something that must always be true when a request leaves the client, or when its response arrives.
///
/// The functions are called at that very moment, on the only thread of the world.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
protocol Invariant: Sendable {
    /// Checks a request that leaves.
    func check(_ sent: SentRequest)
    /// Notes the head of a response, before its content.
    func noteHead(_ status: Int, _ headers: HTTPHeaders, of sent: SentRequest)
    /// Notes that a request's task was cancelled, before it has ended.
    func noteCancellation(of sent: SentRequest)
    /// Notes that a request has ended.
    func noteEnd(_ end: SentRequest.End, of sent: SentRequest)
    /// Checks what is left when nothing can happen any more.
    func verify()
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Invariant {
    func check(_ sent: SentRequest) {}
    func noteHead(_ status: Int, _ headers: HTTPHeaders, of sent: SentRequest) {}
    func noteCancellation(of sent: SentRequest) {}
    func noteEnd(_ end: SentRequest.End, of sent: SentRequest) {}
    func verify() {}
}

/// A request that has left the client.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct SentRequest: Sendable {
    typealias End = Result<TransportResponse, any Error>

    /// A number for each that leaves.
    let ordinal: Int
    let request: TransportRequest
    /// The request for which it leaves, unless nobody knows it.
    let entry: RandomLedger.Entry?
    /// The session of the user who was there when it left.
    let session: Int
    let time: TimeInterval

    var origin: String { "\(request.url.scheme ?? "")://\(request.url.host ?? "")" }
    var isTrusted: Bool { request.url.host == RandomServer.host }
    var name: String {
        "\(entry.map { "\($0.id): " } ?? "")\(request.method) \(request.url.host ?? "")\(request.url.path)"
    }

    /// The kind of the network failure that an error is, if it is one.
    static func kind(of error: any Error) -> NetworkFailure.Kind? {
        if case SimpleNetworkingError.networkingError(let failure, _) = error { return failure.kind }
        return (error as? NetworkFailure)?.kind
    }

    /// Whether sending it twice may have another effect than sending it once.
    var isUnrepeatable: Bool {
        [.post, .patch].contains(request.method) && !request.headers.contains("Idempotency-Key")
    }
}
