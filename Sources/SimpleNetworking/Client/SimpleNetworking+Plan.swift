extension SimpleNetworking: RequestExecutor {
    var executionSettings: ExecutionSettings {
        state.withLock { state in
            ExecutionSettings(
                callbackQueue: state.configuration.callbackQueue,
                maxRetries: state.configuration.maxRetries,
                deadline: state.configuration.deadline,
                takeoverTimeout: state.configuration.takeoverTimeout,
                clock: state.configuration.clock,
                logger: state.configuration.logger
            )
        }
    }

    func plan(for request: SimpleRequest) throws(SimpleNetworkingError) -> RequestPlan {
        if let mistake = state.withLock({ $0.mistake }) { throw mistake }
        let configuration = configuration
        let specification = request.specification
        let maker = try maker(of: request, specification, with: configuration)
        let (sent, withheld) = try maker.request(with: configuration)
        let retryPolicy = specification.retryPolicy ?? configuration.retryPolicy
        let hooks = hooks(for: request, specification)
        return RequestPlan(
            request: sent,
            withheld: withheld,
            baseURL: baseURL,
            otherOrigins: configuration.trustedOrigins,
            secretNames: maker.secretNames(with: configuration),
            transport: transport,
            cookieJar: configuration.cookieJar,
            clock: configuration.clock,
            policies: (
                retryPolicy,
                configuration.maxRetries,
                configuration.redirectPolicy,
                specification.acceptableStatuses ?? configuration.acceptableStatuses
            ),
            hooks: hooks,
            middleware: configuration.middleware,
            remake: retryPolicy.attempts > 1 || hooks.shouldRetry != nil ? remake(with: maker) : nil
        )
    }
}

extension SimpleNetworking {
    /// Only a subclass can have overridden a hook; all others need not be asked.
    private var mayHaveHooks: Bool { type(of: self) != SimpleNetworking.self }

    private func maker(
        of request: SimpleRequest,
        _ specification: RequestSpecification,
        with configuration: Configuration
    ) throws(SimpleNetworkingError) -> RequestMaker {
        let url: URL
        do {
            url =
                mayHaveHooks
                ? try self.url(for: request) : try base.joined(with: specification.path, specification.query)
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
            sessionHeaders: sessionHeaders
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

    private func remake(with maker: RequestMaker) -> RequestPlan.Maker {
        { [state] () throws(SimpleNetworkingError) in try maker.request(with: state.withLock { $0.configuration }).0 }
    }
}
