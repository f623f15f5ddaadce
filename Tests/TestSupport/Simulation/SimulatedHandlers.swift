import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// Notes which handlers of one request ran, and checks that each did once, in the order written.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class SimulatedHandlers: Sendable {
    /// In the order in which they are written.
    private enum Role: Int, CustomStringConvertible {
        case status, otherStatus, success, value, error, lastSuccess, completion, lastCompletion

        var description: String { String(rawValue) }
    }

    private struct Run: Equatable {
        var attempt = Int.max
        let role: Role
    }

    private struct State {
        var ran: [Run] = []
        /// Whether a handler retried the request, which starts it again if it has ended meanwhile.
        var mayStartAgain = false
    }

    private let state = Locked(State())
    private let world: SimulatedWorld
    private let name: String

    /// Is called before a handler retries the request.
    private let willRetry: @Sendable () -> Void

    init(_ world: SimulatedWorld, _ name: String, willRetry: @escaping @Sendable () -> Void = {}) {
        (self.world, self.name, self.willRetry) = (world, name, willRetry)
    }

    func add(to request: SimpleRequest, _ api: SimpleNetworking) -> SimpleRequest {
        request
            .on(httpStatus: 400...599) { [self] request, response in
                note(.status, response.attempt)
                guard response.httpStatus == 503 else { return world.chance(0.9) }
                switch world.number(in: 0...4) {
                case 0:
                    willRetry()
                    request.retry()
                case 1:
                    willRetry()
                    request.retry(after: 1)
                case 2: world.sometime("the handler of \(name) continues") { self.retry(request) }
                case 3: return false
                default: return true
                }
                return false
            }
            .on(httpStatus: 200...599) { [self] _, response in
                note(.otherStatus, response.attempt)
                return true
            }
            .on(success: { [self] _ in
                note(.success)
                if world.chance(0.2) { api.get("/items/1") { $0.on(completion: { _ in _ = self }) } }
            })
            .on(success: Data.self) { [self] _ in note(.value) }
            .on(error: { [self] _ in note(.error) })
            .on(success: { [self] _ in note(.lastSuccess) })
            .on(completion: { [self] outcome in
                note(.completion)
                check(outcome)
            })
            .on(completion: { [self] _ in note(.lastCompletion) })
    }

    private func note(_ role: Role, _ attempt: Int = .max) {
        state.withLock { state in
            if state.mayStartAgain, state.ran.last?.role == .lastCompletion {
                (state.ran, state.mayStartAgain) = ([], false)
            }
            state.ran.append(Run(attempt: attempt, role: role))
        }
    }

    private func retry(_ request: SimpleRequest) {
        mayStartAgain()
        willRetry()
        request.retry()
    }

    /// Notes that the request may begin again once it has ended.
    func mayStartAgain() { state.withLock { $0.mayStartAgain = true } }

    private func check(_ outcome: Result<SimpleResponse, SimpleNetworkingError>) {
        let ran = state.withLock { $0.ran }
        let ends = ran.map(\.role).filter { $0.rawValue >= Role.success.rawValue }
        let expected: [Role] =
            switch outcome {
            case .success: [.success, .value, .lastSuccess, .completion]
            case .failure(.stopped): [.completion]
            case .failure: [.error, .completion]
            }
        // Status handlers run again for each attempt.
        let isOrdered = zip(ran, ran.dropFirst()).allSatisfy { first, second in
            (first.attempt, first.role.rawValue) < (second.attempt, second.role.rawValue)
        }
        world.expect(ends == expected && isOrdered, "\(name): handlers ran as \(ran.map(\.role))")
    }

    /// Checks that the last handler ran, too, and once; to be called when nothing can happen any more.
    func verify() {
        let last = state.withLock { $0.ran }.suffix(2).map(\.role)
        world.expect(last == [.completion, .lastCompletion], "\(name): the last handlers were \(last)")
    }
}
