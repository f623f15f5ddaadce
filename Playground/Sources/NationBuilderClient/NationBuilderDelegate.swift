import SimpleNetworking

/// Is asked on the way of each request, in the order in which the methods stand here.
///
/// The first two are called for the request; the others on the client's callback queue, for what came of it. Whoever says
/// false there stops it: the call's completion is not called, and only whoever awaits, or has added a completion handler
/// to the request, hears of it as `.abandoned`.
public protocol NationBuilderDelegate: AnyObject, Sendable {
    /// Says whether a call is sent at once; if not, it is when its request is executed.
    func nation(_ nation: NationBuilder, shouldStart request: SimpleRequest) -> Bool

    /// Changes what is sent, after everybody else: method, address, header fields and content are there.
    func nation(_ nation: NationBuilder, willSend attempt: inout TransportRequest)

    /// Says whether it goes on, whatever came; the response is nil if none did.
    func nation(_ nation: NationBuilder, shouldHandle response: SimpleResponse?, to request: RequestHead?) -> Bool

    /// Says whether it goes on after no answer came.
    func nation(_ nation: NationBuilder, shouldHandleTransportError error: SimpleNetworkingError) -> Bool

    /// Says whether it goes on after a status outside of 200...299.
    ///
    /// It may take its time, for a sign-out or the like, and so it runs where it likes.
    func nation(
        _ nation: NationBuilder,
        shouldHandleHTTPError error: NationError,
        _ response: SimpleResponse
    ) async -> Bool

    /// Says whether it goes on after an answer of 200...299 that names an error.
    func nation(
        _ nation: NationBuilder,
        shouldHandleServiceError error: NationError,
        _ response: SimpleResponse
    ) -> Bool

    /// Hears of an answer's content, before the results are looked up in it.
    func nation(_ nation: NationBuilder, didParse json: Any, of response: SimpleResponse)
}

extension NationBuilderDelegate {
    /// Yes.
    public func nation(_ nation: NationBuilder, shouldStart request: SimpleRequest) -> Bool { true }

    /// Changes nothing.
    public func nation(_ nation: NationBuilder, willSend attempt: inout TransportRequest) {}

    /// Yes.
    public func nation(
        _ nation: NationBuilder,
        shouldHandle response: SimpleResponse?,
        to request: RequestHead?
    ) -> Bool { true }

    /// Yes.
    public func nation(_ nation: NationBuilder, shouldHandleTransportError error: SimpleNetworkingError) -> Bool {
        true
    }

    /// Yes.
    public func nation(
        _ nation: NationBuilder,
        shouldHandleHTTPError error: NationError,
        _ response: SimpleResponse
    ) async -> Bool { true }

    /// Yes.
    public func nation(
        _ nation: NationBuilder,
        shouldHandleServiceError error: NationError,
        _ response: SimpleResponse
    ) -> Bool { true }

    /// Does nothing.
    public func nation(_ nation: NationBuilder, didParse json: Any, of response: SimpleResponse) {}
}
