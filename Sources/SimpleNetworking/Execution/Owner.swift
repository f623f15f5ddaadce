/// The object that a handler is bound to, which it does not keep alive.
final class Owner {
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
}
