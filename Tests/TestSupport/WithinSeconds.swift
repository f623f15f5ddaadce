import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Runs something that must end soon; gives up on it, and says so, when it does not.
package func withinSeconds<Value: Sendable>(
    _ seconds: Double,
    _ work: @escaping @Sendable () async throws -> Value
) async throws
    -> Value
{
    // A task group would wait for the very thing that hangs.
    let outcome = Locked<CheckedContinuation<Value, any Error>?>(nil)
    let end: @Sendable (Result<Value, any Error>) -> Void = { result in
        outcome.withLock { $0.take() }?.resume(with: result)
    }
    return try await withCheckedThrowingContinuation { continuation in
        outcome.withLock { $0 = continuation }
        let task = Task.detached {
            do { end(.success(try await work())) } catch { end(.failure(error)) }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            end(.failure(Hang(seconds: seconds)))
            task.cancel()
        }
    }
}

/// Waits for a condition, by polling.
package func eventually(_ condition: @escaping @Sendable () -> Bool) async throws {
    try await withinSeconds(120) {
        var looks = 0
        while !condition() {
            try Task.checkCancellation()
            looks += 1
            if looks < 100 { await Task.yield() } else { await pause() }
        }
    }
}

/// Sleeps for a moment: yielding alone would keep a core busy.
private func pause() async {
    await withCheckedContinuation { go in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) { go.resume() }
    }
}

package struct Hang: Error {
    package let seconds: Double

    package init(seconds: Double) { self.seconds = seconds }
}
