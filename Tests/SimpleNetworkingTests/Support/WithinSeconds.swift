import Foundation

@testable import SimpleNetworking

/// Runs something that must end soon; gives up on it, and says so, when it does not.
func withinSeconds<Value: Sendable>(
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

/// Waits until something is so that nobody tells of.
func eventually(_ condition: @escaping @Sendable () -> Bool) async throws {
    try await withinSeconds(120) {
        var looks = 0
        while !condition() {
            try Task.checkCancellation()
            looks += 1
            if looks < 100 { await Task.yield() } else { await pause() }
        }
    }
}

/// Leaves the cores to others for a moment: whoever only yields keeps one busy.
private func pause() async {
    await withCheckedContinuation { go in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) { go.resume() }
    }
}

struct Hang: Error {
    let seconds: Double
}
