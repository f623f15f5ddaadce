import SimpleNetworkingSupport

/// An option that takes part in the requests of its clients, at the moments that it names.
///
/// The core asks the features of a request at each moment in the order that their `order` gives, and knows none of them.
package protocol Feature: OptionKey {
    /// The place among features at one moment; lower ones are asked first.
    static var order: Int { get }

    /// Returns the user to whom the feature's data belongs now; nil if it belongs to no user.
    ///
    /// A request isn't sent, or sent again, for another user than the one for whom it was first prepared.
    static func user(of value: Value) -> Int?

    /// Returns what the data of requests must have in common so that they can share a transfer.
    static func identity(of value: Value) -> [Int]

    /// Whether the feature must know the account of the credential with which a request is signed.
    static var needsAccount: Bool { get }

    /// Returns whether nothing must be sent for a request, not even to get a credential for it.
    static func staysOffline(_ request: TransportRequest, for attempt: Attempt) -> Bool

    /// Checks a request that is about to be sent.
    ///
    /// - Throws: `.invalidRequest` if the feature can't be used with the request.
    static func check(_ body: RequestBody, of head: RequestHead, _ value: Value) throws(SimpleNetworkingError)

    /// Returns the feature's own stage at a place in the pipeline; nil if it has none there.
    static func stage(at place: StagePlace, for attempt: Attempt) -> (any Middleware)?

    /// Returns what learns that a request may have changed what some URLs lead to.
    static func changeReaction(of value: Value) -> ChangeReaction?

    /// Returns whether the feature may hold a request back until the request has a turn.
    ///
    /// At most one feature of a request gives turns.
    static func givesTurns(_ value: Value) -> Bool

    /// Waits for a turn if the request has none, and returns whether that took time.
    ///
    /// It is called whenever something else that holds the request back has been asked.
    static func takeTurn(
        _ turn: inout (any RequestTurn)?,
        for request: TransportRequest,
        _ attempt: Attempt
    ) async throws -> Bool

    /// Adds the feature's data to a request that is about to be sent, and returns what reads the response's head.
    ///
    /// It may be called several times, also for a request that then isn't sent.
    ///
    /// - Throws: The error that ends the request, if it must not be sent.
    static func depart(_ request: inout TransportRequest, for attempt: Attempt) throws -> HeadReaction?

    /// Notes that a request is handed to the transport.
    static func noteSent(for attempt: Attempt)

    /// Uses a retry of an attempt, for a policy or `shouldRetry`; returns false if the feature permits none.
    static func takeRetry(for attempt: Attempt) -> Bool

    /// Returns whether the feature has tried for long enough after an error, so that a retry policy doesn't try again.
    static func hasGivenUp(after error: SimpleNetworkingError, with value: Value) -> Bool

    /// Returns whether a response says that the server limits requests, as the status 429 does.
    static func isLimit(_ status: Int, _ headers: HTTPHeaders, with value: Value) -> Bool
}

/// Reads the head of a response, once, before the content of a stream.
///
/// It must not hold a client, since a transport may keep it.
package typealias HeadReaction = @Sendable (_ status: Int, _ headers: HTTPHeaders) -> Void

/// Learns from the head of a response that the server may have changed what these URLs lead to.
///
/// It is called before the content of a stream, and like a `HeadReaction`, it must not hold a client.
package typealias ChangeReaction = @Sendable (_ urls: [URL], _ status: Int, _ headers: HTTPHeaders) async -> Void

/// The places in the pipeline at which features have stages, from the outermost to the innermost.
package enum StagePlace: Sendable {
    /// Below what takes the content of responses: what sends a request as several, whose responses are its own.
    case split
    /// Before the request waits for anything: what doesn't need a server, and what is done with what one sends.
    case lookUp
    /// After that: what the parts of a response pass on their way up, if its content isn't kept in memory.
    case content
    /// After that, and before an equal request is joined: what sends the request again while no server can be reached.
    case connection
    /// Just before the request waits to be sent: what sends one request for several equal ones.
    case joining
}

extension Feature {
    package static func user(of value: Value) -> Int? { nil }
    package static func identity(of value: Value) -> [Int] { [] }
    package static var needsAccount: Bool { false }
    package static func staysOffline(_ request: TransportRequest, for attempt: Attempt) -> Bool { false }
    package static func check(
        _ body: RequestBody,
        of head: RequestHead,
        _ value: Value
    ) throws(SimpleNetworkingError) {}
    package static func stage(at place: StagePlace, for attempt: Attempt) -> (any Middleware)? { nil }
    package static func changeReaction(of value: Value) -> ChangeReaction? { nil }
    package static func givesTurns(_ value: Value) -> Bool { false }
    package static func takeTurn(
        _ turn: inout (any RequestTurn)?,
        for request: TransportRequest,
        _ attempt: Attempt
    ) async throws -> Bool { false }
    package static func depart(_ request: inout TransportRequest, for attempt: Attempt) throws -> HeadReaction? { nil }
    package static func noteSent(for attempt: Attempt) {}
    package static func takeRetry(for attempt: Attempt) -> Bool { true }
    package static func hasGivenUp(after error: SimpleNetworkingError, with value: Value) -> Bool { false }
    package static func isLimit(_ status: Int, _ headers: HTTPHeaders, with value: Value) -> Bool { false }
}

extension Feature {
    static func check(
        _ body: RequestBody,
        of head: RequestHead,
        with options: Options
    ) throws(SimpleNetworkingError) { try check(body, of: head, options[Self.self]) }
}

extension Options {
    /// The features among the options, in the order in which they are asked.
    var features: [any Feature.Type] {
        if isEmpty { return [] }
        return keys.compactMap { $0 as? any Feature.Type }.ordered { $0.order }
    }

    /// The users to whom the data of the features belongs now.
    var users: [RequestUsers.DataUser] {
        features.compactMap { feature in user(of: feature).map { (ObjectIdentifier(feature), $0) } }
    }

    /// What the data of requests must have in common so that they can share a transfer.
    var identities: [ObjectIdentifier: [Int]] {
        var identities: [ObjectIdentifier: [Int]] = [:]
        for feature in features {
            let identity = identity(of: feature)
            if !identity.isEmpty { identities[ObjectIdentifier(feature)] = identity }
        }
        return identities
    }

    /// What learns that a request may have changed what some URLs lead to; nil if no feature does.
    var changeReaction: ChangeReaction? {
        let reactions = features.compactMap { changeReaction(of: $0) }
        if reactions.isEmpty { return nil }
        return { urls, status, headers in for react in reactions { await react(urls, status, headers) } }
    }

    /// Whether a feature may hold a request back until the request has a turn.
    var giveTurns: Bool { features.contains { givesTurns($0) } }

    /// Returns whether a feature has tried for long enough after an error.
    func haveGivenUp(after error: SimpleNetworkingError) -> Bool { features.contains { hasGivenUp($0, error) } }

    /// Returns whether a response says, to one of the features, that the server limits requests.
    func isLimit(_ status: Int, _ headers: HTTPHeaders) -> Bool { features.contains { isLimit($0, status, headers) } }

    private func user<Key: Feature>(of feature: Key.Type) -> Int? { feature.user(of: self[feature]) }
    private func changeReaction<Key: Feature>(of feature: Key.Type) -> ChangeReaction? {
        feature.changeReaction(of: self[feature])
    }
    private func identity<Key: Feature>(of feature: Key.Type) -> [Int] { feature.identity(of: self[feature]) }
    private func givesTurns<Key: Feature>(_ feature: Key.Type) -> Bool { feature.givesTurns(self[feature]) }
    private func hasGivenUp<Key: Feature>(_ feature: Key.Type, _ error: SimpleNetworkingError) -> Bool {
        feature.hasGivenUp(after: error, with: self[feature])
    }
    private func isLimit<Key: Feature>(_ feature: Key.Type, _ status: Int, _ headers: HTTPHeaders) -> Bool {
        feature.isLimit(status, headers, with: self[feature])
    }
}

extension SimpleNetworking.Settings {
    /// The users to whom the data of the features of a request with these options belongs now.
    func users(with options: Options) -> [RequestUsers.DataUser] {
        features.isEmpty && options.isEmpty ? [] : configuration.options.replaced(by: options).users
    }
}

extension RequestUsers {
    /// Notes the users of a client, whose settings and mark were read together, and of a request's options.
    init(of settings: SimpleNetworking.Settings, _ mark: RefreshState.Mark, _ options: Options) {
        let isSigned = settings.configuration.authenticator != nil
        self.init(mark: mark, isSigned: isSigned, ofData: settings.users(with: options))
    }
}
