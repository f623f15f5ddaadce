/// Decides when handlers may run: in one run at a time, and only after the calls that started work have returned.
///
/// A pure value.
struct DeliveryGate {
    /// The number of calls that started work and have not returned yet.
    private var callsUnderWay: Int
    /// Whether handlers wait for these calls.
    private var isDue = false
    /// Whether handlers are running.
    private var isOpen = false

    /// Creates the gate of an execution started by a call; with `holdsHandlers`, handlers wait until it returns.
    init(holdsHandlers: Bool) { callsUnderWay = holdsHandlers ? 1 : 0 }

    /// Notes a call that handlers must wait for.
    mutating func hold() { callsUnderWay += 1 }

    /// Notes that a call is about to return, and returns whether handlers wait for it.
    mutating func release() -> Bool {
        callsUnderWay -= 1
        guard isDue, callsUnderWay == 0 else { return false }
        isDue = false
        return true
    }

    /// Begins a run of handlers; returns false if one is in progress, which also runs the rest.
    mutating func open() -> Bool {
        guard !isOpen else { return false }
        isOpen = true
        return true
    }

    /// Returns whether a run may continue; if it must wait for calls, it ends, and the last call begins another run.
    mutating func staysOpen() -> Bool {
        guard callsUnderWay > 0 else { return true }
        isOpen = false
        isDue = true
        return false
    }

    /// Ends a run of handlers.
    mutating func close() { isOpen = false }
}
