/// Decides when handlers may run: one run at a time, and none before the calls that began something have returned.
///
/// A pure value.
struct DeliveryGate {
    /// How many calls that began something have not returned yet.
    private var callsUnderWay: Int
    /// Whether handlers wait for these calls.
    private var isDue = false
    /// Whether handlers are being run.
    private var isOpen = false

    /// Makes the gate of an execution that a call has begun; with `holdsHandlers`, they wait for its return.
    init(holdsHandlers: Bool) { callsUnderWay = holdsHandlers ? 1 : 0 }

    /// Notes a call that handlers have to wait for.
    mutating func hold() { callsUnderWay += 1 }

    /// Notes that a call is about to return; tells whether handlers wait for that.
    mutating func release() -> Bool {
        callsUnderWay -= 1
        guard isDue, callsUnderWay == 0 else { return false }
        isDue = false
        return true
    }

    /// Begins a run of handlers; returns false if there is one, which takes the rest along.
    mutating func open() -> Bool {
        guard !isOpen else { return false }
        isOpen = true
        return true
    }

    /// Tells whether a run may go on; if it has to wait for calls, it ends, and the last of them begins another.
    mutating func staysOpen() -> Bool {
        guard callsUnderWay > 0 else { return true }
        isOpen = false
        isDue = true
        return false
    }

    /// Ends a run of handlers.
    mutating func close() { isOpen = false }
}
