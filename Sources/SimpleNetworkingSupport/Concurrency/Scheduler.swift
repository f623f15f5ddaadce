/// Runs an engine's work one item after another in a simulation, instead of on threads and queues.
///
/// No client uses one in production.
package final class Scheduler: Sendable {
    package typealias Work = @Sendable () -> Void

    /// A `TaskExecutor`, which older systems don't have.
    private let executor: any Executor
    /// Runs work later.
    package let run: @Sendable (@escaping Work) -> Void
    /// Replaces random numbers.
    package let random: @Sendable (ClosedRange<Double>) -> Double

    package init(
        executor: any Executor,
        run: @escaping @Sendable (@escaping Work) -> Void,
        random: @escaping @Sendable (ClosedRange<Double>) -> Double
    ) {
        self.executor = executor
        self.run = run
        self.random = random
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    package var taskExecutor: (any TaskExecutor)? { executor as? any TaskExecutor }
}

extension Task where Failure == Never {
    /// Starts a task; if there is a scheduler, it decides when the task runs.
    @discardableResult
    package static func start(
        on scheduler: Scheduler?,
        _ work: sending @escaping @isolated(any) () async -> Success
    ) -> Task {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let executor = scheduler?.taskExecutor {
            return Task(executorPreference: executor, operation: work)
        }
        return Task(operation: work)
    }
}

extension Task where Failure == any Error {
    /// Starts a task on the caller's actor, as `Task { }` does; a scheduler, if any, decides when it runs.
    package static func start(
        on scheduler: Scheduler?,
        @_inheritActorContext _ work: @escaping @Sendable @isolated(any) () async throws -> Success
    ) -> Task {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let executor = scheduler?.taskExecutor {
            return Task(executorPreference: executor) { try await work() }
        }
        return Task(operation: work)
    }
}
