import Foundation
import SimpleNetworkingCore

/// A request and its response or failure.
struct CassetteExchange: Sendable {
    var request: CassetteRequest
    /// The interim responses (1xx), without content.
    var interims: [CassetteResponse] = []
    /// The response, or what had arrived of it before the failure; nil if there was none.
    var response: CassetteResponse?
    /// The reason why there was no complete response.
    var failure: NetworkFailure?
    /// Whether another request was in flight when this one began, so that either may come first.
    var isConcurrent = false
    /// Whether the request need not be made, because only browsers make it.
    var isOptional = false
    /// When the exchange began; nil if the file doesn't specify it.
    var start: Date?

    /// The number of secrets known when they were last hidden.
    private var hiddenSecrets = -1

    init(request: CassetteRequest, response: CassetteResponse? = nil, failure: NetworkFailure? = nil) {
        self.request = request
        self.response = response
        self.failure = failure
    }

    /// Hides the secrets known now; an earlier plain value may turn out to be one.
    mutating func hide(by secrets: SecretHiding) {
        guard hiddenSecrets != secrets.count else { return }
        hiddenSecrets = secrets.count
        request.hide(by: secrets)
        for index in interims.indices { interims[index].hide(by: secrets) }
        response?.hide(by: secrets)
        failure = failure.map { NetworkFailure($0.kind, detail: $0.detail.map { secrets.text(of: $0) }) }
    }

    /// The kind of failure that represents a timeout.
    static let timeout = NetworkFailure.Kind(rawValue: "the request timed out")

    /// Returns the response, or fails, as the transport did.
    func replay(to request: TransportRequest) async throws -> TransportResponse {
        for interim in interims { request.report?(.interim(status: interim.status, headers: interim.headers)) }
        if let failure {
            try await deliverBeginning(to: request)
            if failure.kind == Self.timeout {
                throw SimpleNetworkingError.timedOut(.attempt(request.timeout), request.head)
            }
            throw failure
        }
        guard var response else {
            throw CassetteFailure(text: "\(self.request.summary) has no recorded response")
        }
        response.serve(request)
        response.keepCookies(recorded: start)
        var replayed = response.transported
        replayed.request = request.head
        return replayed
    }

    /// Delivers what had arrived before the failure: a download keeps it, and asks for the rest.
    private func deliverBeginning(to request: TransportRequest) async throws {
        guard let response, case .stream(let receive) = request.sink else { return }
        try await receive(.head(status: response.status, headers: response.headers))
        if !response.content.isEmpty { try await receive(.content(response.content)) }
    }
}

extension [CassetteExchange] {
    /// Lets the target of a redirect come beside whatever was in flight beside the redirect.
    ///
    /// Nothing but the redirect has to be over before the client follows it.
    mutating func loosenRedirects() {
        var followed: Set<Int> = []
        var sources: [String: Int] = [:]
        for index in indices {
            let source = sources[self[index].request.url]
            if let target = self[index].response?.redirectTarget(from: self[index].request.url) {
                sources[target] = index
            }
            guard let source, followed.insert(source).inserted, !self[index].isConcurrent else { continue }
            let between = self[(source + 1)..<index]
            self[index].isConcurrent =
                between.allSatisfy(\.isConcurrent) && (!between.isEmpty || self[source].isConcurrent)
        }
    }
}
