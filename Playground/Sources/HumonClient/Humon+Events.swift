import SimpleNetworking

/// Each call takes a completion or is awaited; both send the request of the functions at the end.
extension Humon {
    /// Creates an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - actor: Where the completion runs. The default is the actor whose code calls this.
    ///   - completion: Takes the event's identifier, or why there is none; runs once.
    /// - Returns: The request, which can be cancelled.
    @discardableResult
    public func createEvent(
        _ event: Event,
        isolation actor: (any Actor)? = #isolation,
        _ completion: @escaping Completion<String>
    ) -> SimpleRequest {
        start(creation(of: event), SavedEvent.self, isolation: actor) { completion($0.map(\.id)) }
    }

    /// Creates an event, and waits for its identifier.
    @discardableResult
    public func createEvent(_ event: Event) async throws -> String {
        try await send(creation(of: event)).decode(SavedEvent.self).id
    }

    /// Changes an event that exists; see ``createEvent(_:isolation:_:)``.
    @discardableResult
    public func changeEvent(
        _ id: String,
        to event: Event,
        isolation actor: (any Actor)? = #isolation,
        _ completion: @escaping Completion<String>
    ) -> SimpleRequest {
        start(change(of: id, to: event), SavedEvent.self, isolation: actor) { completion($0.map(\.id)) }
    }

    /// Changes an event that exists, and waits for its identifier.
    @discardableResult
    public func changeEvent(_ id: String, to event: Event) async throws -> String {
        try await send(change(of: id, to: event)).decode(SavedEvent.self).id
    }

    /// Gets the events around a place.
    ///
    /// Cancel the request before you request another region: its completion then gets `.cancelled`.
    @discardableResult
    public func fetchEvents(
        in region: Region,
        isolation actor: (any Actor)? = #isolation,
        _ completion: @escaping Completion<NearbyEvents>
    ) -> SimpleRequest {
        start(search(in: region), NearbyEvents.self, isolation: actor, completion)
    }

    /// Gets the events around a place.
    public func fetchEvents(in region: Region) async throws -> NearbyEvents {
        try await send(search(in: region)).decode(using: configuration.decoder)
    }

    /// Gets the events around a place, for a user who is created if there is none yet: what a map shows first.
    public func openMap(on region: Region) async throws -> NearbyEvents {
        if !account.isLoggedIn { try await createUser() }
        return try await fetchEvents(in: region)
    }

    /// Gets one event.
    public func fetchEvent(_ id: String) async throws -> Event { try await send(Request.get("events/\(id)")).value }

    /// A typed request, since its content is encoded by the client's encoder, which writes the dates.
    private func creation(of event: Event) -> SimpleRequest {
        SimpleRequest(Request<SavedEvent>.post("events", body: content(of: event)))
    }

    private func change(of id: String, to event: Event) -> SimpleRequest {
        SimpleRequest(Request<SavedEvent>.patch("events/\(id)", body: content(of: event)))
    }

    private func search(in region: Region) -> SimpleRequest {
        let query: Query = [("lat", region.latitude), ("lon", region.longitude), ("radius", region.radius)]
        return Self.get("events/nearests", query: query)
    }

    private func content(of event: Event) -> EventContent {
        EventContent(event: event, deviceToken: edition.sendsDeviceToken ? account.token : nil)
    }
}
