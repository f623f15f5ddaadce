import SimpleNetworkingSupport

extension SimpleRequest {
    /// Sets a header field of this request, which replaces the client's field with the same name.
    ///
    /// If the value is nil, the request removes the client's field.
    ///
    /// If `isSecret` is true, the client treats the value as a credential, as it always does with `Authorization`: it
    /// hides the value in logs and descriptions, and sends it only to the base URL's origin and trusted origins.
    @discardableResult public func header(_ name: String, _ value: String?, isSecret: Bool = false) -> Self {
        specify { specification in
            specification.headers.removeAll { $0.name.isSameFieldName(as: name) }
            specification.headers.append(.init(name: name, value: value, isSecret: isSecret))
        }
    }

    /// Sets several header fields of this request, which replace the client's fields with the same names.
    @discardableResult public func headers(_ fields: [String: String]) -> Self {
        for (name, value) in fields.ordered(by: \.key) { header(name, value) }
        return self
    }

    /// Returns whether the request sets or removes a header field.
    package func names(field: String) -> Bool { specification.headers.names(field) }

    /// Appends pairs to the URL's query.
    ///
    /// Pass a list such as `[("page", "2")]`, or a dictionary. To pass a variable, write `Query(pairs)`.
    @discardableResult public func query(_ pairs: Query) -> Self { specify { $0.query.append(pairs) } }

    /// Has the content of a successful response delivered elsewhere than to memory.
    @discardableResult package func delivered(to destination: any ResponseDestination) -> Self {
        specify { $0.destination = .other(destination) }
    }

    /// Sets the `Accept` header field.
    ///
    /// The default is `*/*;q=0.5, application/json`. For a typed request, the default is `application/json`, or `*/*` if
    /// the response is `Data`, `String` or `Void`. For files, bytes and lines, the default is `*/*`.
    @discardableResult public func accept(_ type: MediaType) -> Self { header("Accept", type.rawValue) }

    /// Sets the content type of the body, which replaces the type that `body(…)` sets.
    ///
    /// The content type is sent only with a body. A body whose type has a boundary keeps its own type, unless the new
    /// type has the same boundary.
    @discardableResult public func contentType(_ type: MediaType) -> Self { specify { $0.contentType = type } }

    /// Accepts only JSON, unless the request or its client sets `Accept`.
    package func acceptingOnlyJSON() -> Self { specify { $0.defaultAccept = MediaType.json.rawValue } }

    /// Sends a credential as the whole value of a header field, which is `Authorization` by default.
    @discardableResult public func authenticate(withHeader value: String, at name: String? = nil) -> Self {
        header(name ?? "Authorization", value, isSecret: true)
    }

    /// Sets which redirects the client follows; the default is the configuration's `redirectPolicy`.
    ///
    /// ```swift
    /// api.get("/latest") { request in
    ///     request.redirects(.follow) { head, _ in head.headers["X-Redirected"] = "yes" }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - policy: The policy that decides which redirects the client follows.
    ///   - change: A closure that changes the request that follows a redirect. The closure runs in the task that sends
    ///     the request. If the closure throws an error, the attempt ends. If the closure chooses an origin that isn't
    ///     trusted, the client removes all credentials except those that the closure sets. The default is nil.
    /// - Returns: The same request.
    @discardableResult public func redirects(
        _ policy: RedirectPolicy,
        changing change: (@Sendable (_ head: inout RequestHead, _ redirect: TransportResponse) throws -> Void)? = nil
    ) -> Self {
        specify {
            $0.redirectPolicy = policy
            $0.changeRedirect = change
        }
    }

    /// Sends the request without the client's authenticator, for example, to sign in or to send another user's token.
    ///
    /// If the server rejects the request, the client doesn't start a refresh. The client's header fields are still
    /// sent.
    @discardableResult public func unauthenticated() -> Self { specify { $0.isAuthenticated = false } }

    /// Sends Basic credentials (RFC 7617) with this request.
    ///
    /// The default field is `Authorization`. Basic authentication can't transmit a user name that contains a colon, or
    /// a user name or password that contains control characters. With such a name or password, the request ends with
    /// `.authentication`.
    @discardableResult public func authenticateBasic(user: String, password: String, at name: String? = nil) -> Self {
        guard let value = BasicCredential.header(user: user, password: password) else {
            return specify { $0.mistake = $0.mistake ?? BasicCredential.error }
        }
        return authenticate(withHeader: value, at: name)
    }

    /// Limits the duration of each attempt, in seconds; the default is the client's timeout.
    @discardableResult public func timeout(_ seconds: TimeInterval) -> Self { specify { $0.timeout = seconds } }

    /// Limits the duration of the whole execution, in seconds, including attempts, delays and re-authentication.
    ///
    /// The deadline also ends streams and downloads. If the next retry would start after the deadline, the request ends
    /// immediately. The default is the client's deadline, if the client has one.
    @discardableResult public func deadline(_ seconds: TimeInterval) -> Self { specify { $0.deadline = seconds } }

    /// Sets the queue for this request's handlers that are defined outside any actor.
    ///
    /// The queue replaces the client's callback queue. Handlers defined outside any actor run on this queue even if the
    /// code that adds them runs on the main actor.
    @discardableResult public func callbackQueue(_ queue: DispatchQueue) -> Self {
        execution?.callbackQueue = queue
        return specify { $0.callbackQueue = queue }
    }

    /// Sets the policy for automatic retries of this request; the default is the client's policy.
    ///
    /// The client's default is `.never`. To send the request again immediately, call `retry()` instead.
    @discardableResult public func retry(_ policy: RetryPolicy) -> Self { specify { $0.retryPolicy = policy } }

    /// Adds middleware for this request, inside the client's middleware, in the given order.
    @discardableResult public func middleware(_ middleware: any Middleware...) -> Self {
        specify { $0.middleware += middleware }
    }

    /// Tags the request, so that handlers and logs can identify it.
    @discardableResult public func tag(_ name: String, _ value: String) -> Self { specify { $0.tags[name] = value } }

    /// Sets an option that another module has added, for this request.
    ///
    /// It replaces the client's value. Modules usually offer a method of their own that calls this one.
    @discardableResult public func option<Key: OptionKey>(_ key: Key.Type, _ value: Key.Value) -> Self {
        specify { $0.options[key] = value }
    }

    /// The value of an option, as the request or the client that last executed it sets it; otherwise the option's default.
    public subscript<Key: OptionKey>(key: Key.Type) -> Key.Value {
        let (own, client) = state.withLock { ($0.specification.options[own: key], $0.client) }
        return own ?? client?.configuration[key] ?? Key.defaultValue
    }

    /// Sets the statuses that count as success.
    ///
    /// The default is the client's `acceptableStatuses`, which are 200...299 unless you change them.
    ///
    /// Pass a class such as `.successful`, a list, or a range such as `200...399`.
    @discardableResult
    public func acceptable(statuses: HTTPStatuses) -> Self { specify { $0.acceptableStatuses = statuses } }

    /// Sets the statuses that count as success, as a range or a list, such as `200..<400`.
    @discardableResult public func acceptable(statuses: some Sequence<Int>) -> Self {
        acceptable(statuses: HTTPStatuses(statuses))
    }

    /// Sets which media types the content of a successful response may have; by default, any type is allowed.
    ///
    /// Pass types such as `.json`, or ranges such as `image/*`; parameters are ignored. If the content has another
    /// type, the request ends with `.unacceptableContentType`. The same applies to content without a `Content-Type`
    /// unless `*/*` is acceptable. For a file or a stream, the client checks the type before the first byte of content
    /// is used. If a response has no content, the type isn't checked. To tell the server what to send, call
    /// `accept(_:)`. An empty list, or a range such as `*/json`, ends the request with `.invalidRequest`.
    @discardableResult public func acceptable(types: [MediaType]) -> Self {
        specify { specification in
            let acceptable = AcceptableTypes(types: types)
            specification.acceptableTypes = acceptable
            let reason: String? =
                if types.isEmpty {
                    "no content type is acceptable"
                } else {
                    acceptable.firstMistake.map { "“\($0.rawValue)” is not a media type, such as “application/json”" }
                }
            guard let reason else { return }
            specification.mistake = specification.mistake ?? .invalidRequest(reason: reason, nil)
        }
    }
}
