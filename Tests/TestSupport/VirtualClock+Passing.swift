import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting

extension VirtualClock {
    /// Advances to each alarm with this label while work runs, and returns the times of those that rang.
    package func advancing<Value>(
        to label: AlarmLabel,
        during work: () async -> Value
    ) async -> (value: Value, times: [TimeInterval]) {
        let times = Recorder<TimeInterval>()
        let passing = Task {
            while !Task.isCancelled {
                await alarms(1, for: label)
                guard !Task.isCancelled, (try? await advance(to: label)) != nil else { return }
                times.add(now)
            }
        }
        let value = await work()
        passing.cancel()
        // The last one may have rung, and not been noted yet.
        await passing.value
        return (value, times.elements)
    }

    /// Advances from alarm to alarm with this label until something has happened, or the time is over.
    package func advance(to label: AlarmLabel, until isDone: () -> Bool, orAt limit: TimeInterval) async throws {
        while !isDone(), now < limit {
            await Task.yield()
            if !alarms(for: label).isEmpty { try await advance(to: label) }
        }
    }
}
