import SimpleNetworkingSupport

/// What features know of requests that equal each other.
extension Attempt {
    /// The generation of the client's credential.
    package var generation: CredentialGeneration { plan.client.current.mark.generation }

    /// Brings a request up to date, and returns it as it would be sent now, which tells what it equals.
    ///
    /// The request itself isn't signed.
    package func update(_ request: inout TransportRequest) async throws -> TransportRequest {
        let (settings, mark) = plan.client.current
        request = plan.withoutFormerUser(request, for: execution)
        if request.mayBePreparedAgain, let former = request.preparation as? Preparation {
            if former.isOutdated(settings, mark) {
                request = try await plan.prepareAgain(request, former, settings, mark)
            }
        } else {
            request = plan.updated(request, with: settings)
        }
        let shown = try await preview(request)
        if shown.isUntrusted, !request.isUntrusted { request = plan.withoutUser(request) }
        return shown
    }

    /// Whether the request has middleware of its own that stands for the network, or sees what is sent.
    package var hasOwnNetwork: Bool {
        let middleware = plan.specification.middleware
        return !middleware.atNetwork.isEmpty || !middleware.atDeparture.isEmpty
    }

    /// Returns what another request must have in common with this one, which is signed, apart from the request itself.
    package func sharedFacts(of request: TransportRequest) -> SharedFacts {
        SharedFacts(
            account: execution.account,
            identities: plan.options.identities,
            sessionCookies: plan.engine.addedCookies(request.url)
        )
    }

    /// The head of the last response, if its content has failed.
    package var failedHead: TransportResponse? { execution.failedHead }

    /// Notes the head of a response to an equal request, whose content has failed.
    package func note(failedHead: TransportResponse) { execution.note(failedHead: failedHead) }
}

/// What requests that share a response have in common, apart from the requests themselves.
package struct SharedFacts: Hashable, Sendable {
    /// The account and the users to which the request belongs.
    let account: AccountOfClient?
    /// What the data of each feature has in common.
    let identities: [ObjectIdentifier: [Int]]
    /// The cookies that the caller's session adds.
    let sessionCookies: [String]
}

extension TransportResponse {
    /// Notes how a request has changed before it was passed on, and then until it was sent if it is the one that was.
    package mutating func noteChange(from asked: TransportRequest, to request: TransportRequest, isOwn: Bool) {
        let further = isOwn ? change : nil
        if request.storage === asked.storage {
            change = further
        } else {
            change = Boxed(RequestChange(from: asked, to: further?.value.applied(to: request) ?? request))
        }
    }
}
