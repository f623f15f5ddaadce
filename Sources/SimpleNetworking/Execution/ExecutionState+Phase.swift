/// The phases of an execution, and what a call that starts the request does in them.
extension ExecutionState {
    enum Phase: Equatable {
        /// Passing through `execute(request:)`, which a subclass may delay.
        case submitted
        case running
        /// There is a result, and status handlers get it.
        case handling
        /// `succeed(with:)` gave a response, which is decoded before it counts as a success.
        case deciding
        /// A status handler returned false and kept the request.
        case takenOver
        /// The outcome is decided, and handlers are told.
        case ending
        case ended
    }

    /// What a call that starts the request has to do: `execute(on:)`, `retry()`, or `execute(request:)`.
    enum Decision: Equatable {
        /// Call `execute(request:)`, or, for that call, run the pipeline.
        case proceed
        /// A new execution begins when the handlers of this one were told.
        case queue
        /// This execution has ended: begin a new one.
        case begin
        /// The retry limit is reached: end with the last response's error.
        case endAtLimit
        /// It was cancelled before it was executed: end, and send nothing.
        case endCancelled
        case ignore(String)
    }
}
