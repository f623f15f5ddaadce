import SimpleNetworkingSupport

/// Holds what a feature keeps for a client, apart from its settings.
package protocol ClientService: AnyObject, Sendable {
    /// Whether no request of the client uses it.
    var isIdle: Bool { get }
}

/// Holds the services of a client; nothing is allocated for none.
final class ClientServices: Sendable {
    private let services = Locked<[ObjectIdentifier: any ClientService]>([:])

    var areIdle: Bool { services.withLock { Array($0.values) }.allSatisfy(\.isIdle) }

    /// Returns the service of a type, which is made when it is first needed.
    func service<Service: ClientService>(_ type: Service.Type, _ make: () -> Service) -> Service {
        let key = ObjectIdentifier(type)
        if let service = services.withLock({ $0[key] }) as? Service { return service }
        // Outside the lock, because it may call the caller's clock.
        let made = make()
        return services.withLock { services in
            if let service = services[key] as? Service { return service }
            services[key] = made
            return made
        }
    }
}
