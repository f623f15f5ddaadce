import Foundation
import Testing

@testable import SimpleNetworking

/// Names the two ways in which the engine uses a session; every behaviour is tested with both.
enum URLSessionDriving: CaseIterable, Sendable, CustomTestStringConvertible {
    case own, callers

    var testDescription: String { self == .own ? "own session" : "caller's session" }

    func transport(_ configuration: URLSessionConfiguration = .ephemeral) -> URLSessionTransport {
        switch self {
        case .own: URLSessionTransport(configuration: configuration)
        case .callers: URLSessionTransport(session: URLSession(configuration: configuration))
        }
    }
}

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
        Task.detached {
            do { end(.success(try await work())) } catch { end(.failure(error)) }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { end(.failure(Hang(seconds: seconds))) }
    }
}

struct Hang: Error {
    let seconds: Double
}

/// The name of an error's case, for tables.
func name(of error: any Error) -> String {
    switch error {
    case is CancellationError: "CancellationError"
    case let failure as NetworkFailure: failure.kind.rawValue
    case let error as SimpleNetworkingError: String(describing: Mirror(reflecting: error).children.first?.label ?? "")
    default: "\(type(of: error))"
    }
}
