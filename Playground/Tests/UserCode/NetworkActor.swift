/// An actor of the user's own, for all that has to do with the network.
@globalActor
actor NetworkActor {
    static let shared = NetworkActor()
}
