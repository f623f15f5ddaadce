extension SimpleNetworking: RequestExecutor {
    var executionSettings: ExecutionSettings {
        state.withLock { state in
            ExecutionSettings(
                callbackQueues: state.configuration.callbackQueues,
                maxRetries: state.configuration.maxRetries,
                deadline: state.configuration.deadline,
                takeoverTimeout: state.configuration.takeoverTimeout,
                clock: state.configuration.clock,
                logger: state.configuration.logger,
                monitors: state.configuration.eventMonitors,
                memory: memory
            )
        }
    }

    func plan(for request: SimpleRequest) throws(SimpleNetworkingError) -> RequestPlan {
        let (configuration, session, mistake) = state.withLock { ($0.configuration, $0.session, $0.mistake) }
        if let mistake { throw mistake }
        let specification = request.specification
        guard specification.destination.canBeginAgain else {
            throw .handedOver(request.core.state.withLock { $0.head })
        }
        let maker = try maker(of: request, specification, session, with: configuration)
        let (sent, withheld) = try maker.request(with: configuration)
        let guarding = guarding(request, with: configuration)
        if guarding == nil { try check(request) }
        let retryPolicy = specification.retryPolicy ?? configuration.retryPolicy
        let hooks = hooks(for: request, specification)
        return RequestPlan(
            request: sent,
            withheld: withheld,
            baseURL: baseURL,
            otherOrigins: configuration.trustedOrigins,
            sharing: maker.sharing(with: configuration),
            transport: session.transport,
            cookieJar: configuration.cookieJar,
            caching: (configuration.cache, specification.cachePolicy ?? configuration.cachePolicy),
            clock: configuration.clock,
            policies: (
                retryPolicy,
                configuration.maxRetries,
                configuration.redirectPolicy,
                specification.acceptableStatuses ?? configuration.acceptableStatuses
            ),
            hooks: hooks,
            guarding: guarding,
            middleware: configuration.middleware,
            destination: specification.destination,
            progress: request.core.progressReport,
            remake: retryPolicy.attempts > 1 || hooks.shouldRetry != nil ? remake(request, with: maker) : nil
        )
    }
}

extension SimpleNetworking {
    /// Only a subclass can have overridden a hook; all others need not be asked.
    private var mayHaveHooks: Bool { type(of: self) != SimpleNetworking.self }

    private func maker(
        of request: SimpleRequest,
        _ specification: RequestSpecification,
        _ session: ClientSession,
        with configuration: Configuration
    ) throws(SimpleNetworkingError) -> RequestMaker {
        let url: URL
        do {
            url =
                mayHaveHooks
                ? try self.url(for: request)
                : try self.url(forPath: specification.path, query: specification.query)
        } catch {
            throw SimpleNetworkingError(error, head: nil)
        }
        return try RequestMaker(
            specification,
            url: url,
            base: baseURL,
            // A path never leaves the base URL's origin, so the origins need not be taken apart for it.
            mayLeaveOrigin: mayHaveHooks || URLJoining.isAbsolute(specification.path),
            encoder: encoder(for: request),
            configuration: configuration,
            sessionHeaders: session.headers,
            memory: memory
        )
    }

    private func hooks(for request: SimpleRequest, _ specification: RequestSpecification) -> Hooks {
        var hooks = Hooks()
        let configure = specification.configure
        if mayHaveHooks {
            hooks.prepare = { attempt in
                try await self.prepare(&attempt, for: request)
                try configure?(&attempt)
            }
            hooks.validate = { try self.validate($0) }
            hooks.shouldRetry = { try await self.shouldRetry(request, error: $0, attempt: $1) }
        } else if let configure {
            hooks.prepare = { try configure(&$0) }
        }
        return hooks
    }

    private func guarding(
        _ request: SimpleRequest,
        with configuration: Configuration
    ) -> AuthenticationStage.Guard? {
        configuration.authenticator.map { authenticator in
            AuthenticationStage.Guard(
                authenticator: authenticator,
                flight: flight,
                limit: configuration.renewalTimeout,
                waits: configuration.waitsForRenewal,
                belongs: { [core = request.core] in core.belongs(to: $0) }
            )
        }
    }

    /// What was first sent for one account is not sent again for another.
    private func check(_ request: SimpleRequest) throws(SimpleNetworkingError) {
        if request.core.belongs(to: flight.account) { return }
        let response = request.core.state.withLock { $0.response }
        throw .authentication(
            .init(renewal: RenewalFailure.signedOut, request: response?.request, response: response)
        )
    }

    private func remake(_ request: SimpleRequest, with maker: RequestMaker) -> RequestPlan.Maker {
        { () throws(SimpleNetworkingError) in
            let configuration = self.configuration
            if configuration.authenticator == nil { try self.check(request) }
            return try maker.request(with: configuration).0
        }
    }
}
