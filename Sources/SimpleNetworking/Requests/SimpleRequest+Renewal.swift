extension SimpleRequest {
    /// A request in a status handler's hands, as a renewal sees it.
    struct Refused {
        /// The generation of the credential that it carried.
        let stamp: Int
        /// The generation that a renewal has brought it, which cannot be renewed once more for its sake.
        let renewedStamp: Int?
        /// Whether it is a part of the renewal.
        let isRenewal: Bool
    }

    /// nil if it is in nobody's hands.
    var refused: Refused? {
        core.state.withLock { state in
            guard state.isInHand else { return nil }
            return Refused(stamp: state.stamp, renewedStamp: state.renewedStamp, isRenewal: state.isRenewal)
        }
    }

    /// A renewal has ended: the request is sent again, unless it has ended meanwhile, or ends with the failure.
    func goOn(after renewal: Result<Int, any Error>) {
        let (isInHand, response) = core.state.withLock { state in
            if case .success(let stamp) = renewal { state.renewedStamp = stamp }
            return (state.isInHand, state.response)
        }
        guard isInHand else { return }
        switch renewal {
        case .success: retry()
        case .failure(let error):
            fail(
                SimpleNetworkingError.authentication(
                    .init(renewal: error, request: response?.request, response: response)
                )
            )
        }
    }

    /// Ends with what the last answer means.
    func endWithLastAnswer() {
        let (response, error) = core.state.withLock { ($0.response, $0.error) }
        guard let response else { return core.ignore("there is no answer that refused it") }
        fail(error ?? .invalidResponse(response))
    }
}

extension RequestCore {
    /// Says whether the request belongs to this account; the first that asks decides.
    func belongs(to account: Int) -> Bool {
        state.withLock { state in
            let own = state.account ?? account
            state.account = own
            return own == account
        }
    }
}

extension RequestState {
    fileprivate var isInHand: Bool { execution.phase == .handling || execution.phase == .handedOver }
}
