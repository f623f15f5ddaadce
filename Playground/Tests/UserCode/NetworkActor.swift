/// A global actor of the user's, for the network.
@globalActor
actor NetworkActor {
    static let shared = NetworkActor()
}
