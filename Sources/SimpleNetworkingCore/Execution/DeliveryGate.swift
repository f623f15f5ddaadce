import SimpleNetworkingSupport

/// Decides when handlers may run: in one run at a time, and only after the calls that started work have returned.
///
/// The gate is a pure value.
struct DeliveryGate {
    /// The number of calls that started work and have not returned yet.
    private var callsUnderWay: Int
    /// Whether handlers wait for the calls that started work.
    private var isDue = false
    /// Whether handlers are running.
    private var isOpen = false

    /// Creates the gate of an execution that a call started.
    ///
    /// If `holdsHandlers` is true, handlers wait until that call returns.
    init(holdsHandlers: Bool) { callsUnderWay = holdsHandlers ? 1 : 0 }

    /// Notes a call that handlers must wait for.
    mutating func hold() { callsUnderWay += 1 }

    /// Notes that a call is about to return, and returns whether handlers wait for this call.
    mutating func release() -> Bool {
        callsUnderWay -= 1
        guard isDue, callsUnderWay == 0 else { return false }
        isDue = false
        return true
    }

    /// Begins a run of handlers, or returns false if a run is in progress, which also runs the remaining handlers.
    mutating func open() -> Bool {
        guard !isOpen else { return false }
        isOpen = true
        return true
    }

    /// Returns whether a run may continue.
    ///
    /// If the run must wait for calls, it ends, and the last call begins another run.
    mutating func staysOpen() -> Bool {
        guard callsUnderWay > 0 else { return true }
        isOpen = false
        isDue = true
        return false
    }

    /// Ends a run of handlers.
    mutating func close() { isOpen = false }
}
