import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// Stands before a world's network, and lets the invariants see what leaves the client and what arrives.
///
/// As a transport, it enforces timeouts itself: otherwise, a task of its own would begin each transfer, and something
/// could happen between the client's last look and the transfer. In worlds in which the client enforces timeouts, it is
/// the client's last stage instead, where this gap hasn't begun.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct WatchedNetwork: Transport, DepartureMiddleware {
    let scene: RandomScene
    let network: any Transport

    var enforcesTimeouts: Bool { !scene.checksBelowDeparture }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if scene.checksBelowDeparture { return try await network.send(request) }
        return try await watch(request) { try await sendInTime($0) }
    }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        try await watch(request, next)
    }

    private func watch(_ request: TransportRequest, _ next: Next) async throws -> TransportResponse {
        let sent = scene.ledger.leave(request, at: scene.world.clock.now)
        let invariants = scene.invariants
        for rule in invariants { rule.check(sent) }
        let hasHead = Locked(false)
        let noteHead = { @Sendable (status: Int, headers: HTTPHeaders) in
            if !hasHead.exchange(true) { for rule in invariants { rule.noteHead(status, headers, of: sent) } }
        }
        var watched = request
        watched.onFailedHead = { [report = request.onFailedHead] status, headers in
            noteHead(status, headers)
            report?(status, headers)
        }
        if case .stream(let receive) = request.sink {
            watched.sink = .stream { part in
                if case .head(let status, let headers) = part { noteHead(status, headers) }
                try await receive(part)
            }
        }
        return try await withTaskCancellationHandler { [watched] in
            do {
                let response = try await next(watched)
                noteHead(response.httpStatus, response.headers)
                for rule in invariants { rule.noteEnd(.success(response), of: sent) }
                return response
            } catch {
                for rule in invariants { rule.noteEnd(.failure(error), of: sent) }
                throw error
            }
        } onCancel: {
            for rule in invariants { rule.noteCancellation(of: sent) }
        }
    }

    /// Sends a request within its timeouts.
    private func sendInTime(_ request: TransportRequest) async throws -> TransportResponse {
        let clock = scene.world.clock
        // Nothing is idle while content is taken.
        let latest = Locked<TimeInterval?>(clock.now)
        var watched = request
        if case .stream(let receive) = request.sink {
            watched.sink = .stream { part in
                latest.withLock { $0 = nil }
                defer { latest.withLock { $0 = clock.now } }
                try await receive(part)
            }
        }
        let (timeout, idle) = (request.timeout, request.idleTimeout ?? .infinity)
        return try await withThrowingTaskGroup(of: TransportResponse.self) { [watched] group in
            defer { group.cancelAll() }
            group.addTask { try await network.send(watched) }
            if timeout < .infinity {
                group.addTask {
                    try await clock.sleep(timeout, for: .timeout)
                    throw SimpleNetworkingError.timedOut(.attempt(timeout), request.head)
                }
            }
            if idle < .infinity {
                group.addTask {
                    while true {
                        let start = latest.withLock { $0 }
                        try await clock.sleep(idle - (start.map { clock.now - $0 } ?? 0), for: .timeout)
                        let last = latest.withLock { $0 }
                        if let last, clock.now - last > idle - 1e-6 {
                            throw SimpleNetworkingError.timedOut(.idle(idle), request.head)
                        }
                    }
                }
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
