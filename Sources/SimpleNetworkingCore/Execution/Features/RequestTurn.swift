import SimpleNetworkingSupport

/// A request's permission to be sent, from a feature that limits what is sent.
package protocol RequestTurn: AnyObject, Sendable {
    /// Whether other requests may wait until the turn is given back, so that the request must not keep it for long.
    ///
    /// It doesn't change.
    var holdsOthersBack: Bool { get }

    /// Whether the request must wait for another turn, because something has happened since it got this one.
    var isOutdated: Bool { get }

    /// Gives back the turn of a request that wasn't sent.
    ///
    /// Only the first call of this and the functions below has an effect.
    func giveBack()

    /// Receives the head of the response.
    ///
    /// With `isOver`, the request needs the turn no more. The head isn't new if it was received before the content of a
    /// stream, which has ended now.
    func receive(_ status: Int, _ headers: HTTPHeaders, isNew: Bool, isOver: Bool)

    /// Notes that the request failed.
    func fail()
}

/// An error that says that nothing was sent, and that another request may be later.
package protocol UnsentError: TransientError {}

extension UnsentError {
    package var isTransient: Bool { true }
}
