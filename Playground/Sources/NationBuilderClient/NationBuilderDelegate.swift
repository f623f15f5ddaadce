import SimpleNetworking

/// Decides at each step of a request.
///
/// The methods are called in the order in which they are declared. The first two see the request. The others see the
/// result, on the client's callback queue. If one of them returns false, the request stops: the call's completion is not
/// called. Only awaiting callers and completion handlers added to the request get `.stopped`.
public protocol NationBuilderDelegate: AnyObject, Sendable {
    /// Returns whether a call is sent at once. If not, execute its request to send it.
    func nation(_ nation: NationBuilder, shouldStart request: SimpleRequest) -> Bool

    /// Changes what is sent, after all other hooks: method, URL, header fields and content are set.
    func nation(_ nation: NationBuilder, willSend attempt: inout TransportRequest)

    /// Returns whether to continue after any result; the response is nil if there is none.
    func nation(_ nation: NationBuilder, shouldHandle response: SimpleResponse?, to request: RequestHead?) -> Bool

    /// Returns whether to continue without a response.
    func nation(_ nation: NationBuilder, shouldHandleTransportError error: SimpleNetworkingError) -> Bool

    /// Returns whether to continue after a status outside 200...299.
    ///
    /// It is asynchronous, so that it can sign out first, for example.
    func nation(
        _ nation: NationBuilder,
        shouldHandleHTTPError error: NationError,
        _ response: SimpleResponse
    ) async -> Bool

    /// Returns whether to continue after a response of 200...299 that names an error.
    func nation(
        _ nation: NationBuilder,
        shouldHandleServiceError error: NationError,
        _ response: SimpleResponse
    ) -> Bool

    /// Receives a response's content, before the results are read from it.
    func nation(_ nation: NationBuilder, didParse json: Any, of response: SimpleResponse)
}

extension NationBuilderDelegate {
    /// Returns true.
    public func nation(_ nation: NationBuilder, shouldStart request: SimpleRequest) -> Bool { true }

    /// Changes nothing.
    public func nation(_ nation: NationBuilder, willSend attempt: inout TransportRequest) {}

    /// Returns true.
    public func nation(
        _ nation: NationBuilder,
        shouldHandle response: SimpleResponse?,
        to request: RequestHead?
    ) -> Bool { true }

    /// Returns true.
    public func nation(_ nation: NationBuilder, shouldHandleTransportError error: SimpleNetworkingError) -> Bool {
        true
    }

    /// Returns true.
    public func nation(
        _ nation: NationBuilder,
        shouldHandleHTTPError error: NationError,
        _ response: SimpleResponse
    ) async -> Bool { true }

    /// Returns true.
    public func nation(
        _ nation: NationBuilder,
        shouldHandleServiceError error: NationError,
        _ response: SimpleResponse
    ) -> Bool { true }

    /// Does nothing.
    public func nation(_ nation: NationBuilder, didParse json: Any, of response: SimpleResponse) {}
}
