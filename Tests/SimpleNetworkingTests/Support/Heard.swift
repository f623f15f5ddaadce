import Foundation
import SimpleNetworkingSupport

@testable import SimpleNetworkingCore

/// Waits for a handler's call, until a timeout or the test's time limit.
func heard<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ begin: (@escaping @Sendable (Value) -> Void) -> Void
) async throws -> Value {
    let first = FirstResult<Value>()
    begin { first.finish(.success($0)) }
    let cancelTimer = SystemClock().schedule(after: 120) { first.finish(.failure(Hang(seconds: 120))) }
    defer { cancelTimer() }
    return try await first.value()
}
