import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Delivers a simulated world's requests to its server: late, not at all, or with a fault instead of the response.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class SimulatedNetwork: Transport {
    struct Conditions {
        var faults: [StubResponse] = [.failure(.connectionLost), .failure(.cannotConnect), .status(503), .silence]
        var faultRate = 0.2
        var trustedHosts: Set<String> = []
    }

    private let scheduler: SimulationScheduler
    private let server: StubTransport
    let conditions = Locked(Conditions())
    /// The origin that each secret was first sent to.
    private let homes = Locked<[String: Origin]>([:])

    init(_ scheduler: SimulationScheduler, _ server: StubTransport) {
        self.scheduler = scheduler
        self.server = server
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let name = "\(request.method) \(request.url.host ?? "")\(request.url.path)"
        let close = scheduler.open("\(name) waits for its response")
        defer { close() }
        look(at: request, name)
        let (faults, rate) = conditions.withLock { ($0.faultRate > 0 ? $0.faults : [], $0.faultRate) }
        let longest = faults.isEmpty ? 5 : request.timeout
        try await wait(latency(longest: longest))
        guard !faults.isEmpty, scheduler.number(in: 1...1_000) <= Int(rate * 1_000) else {
            let response = try await server.send(request)
            try await wait(latency(longest: longest))
            return response
        }
        let fault = faults[scheduler.number(in: 0...faults.count - 1)]
        let arrives = scheduler.number(in: 0...1) == 1
        scheduler.story.add(
            .note { "the network: \(name) \(arrives ? "reaches the server" : "never arrives"), then \(fault.text)" }
        )
        if arrives { _ = try await server.send(request) }
        let player = StubPlayer(response: fault, clock: scheduler.clock) { _ in {} }
        return try await StubDelivery(request: request, player: player).run()
    }

    /// Returns a latency: mostly short, so that responses overlap, and sometimes the longest.
    private func latency(longest: TimeInterval) -> TimeInterval {
        let latencies = [0, 0, 0, 0, 0.01, 0.01, 1, 1, 2, 5, longest]
        return latencies[scheduler.number(in: 0...latencies.count - 1)]
    }

    private func wait(_ seconds: TimeInterval) async throws {
        guard seconds > 0 else { return }
        let gate = Gate()
        let cancel = scheduler.clock.schedule(after: seconds, for: .response) { gate.open() }
        defer { cancel() }
        try await gate.wait()
    }

    /// Reports secrets that belong to another origin.
    private func look(at request: TransportRequest, _ name: String) {
        guard let origin = Origin(request.url.absoluteString) else { return }
        let trusted = conditions.withLock { $0.trustedHosts }
        for field in request.headers where field.isCredential && !field.value.isEmpty {
            let home = homes.withLock { homes in
                let home = homes["\(field.name.lowercased()): \(field.value)"] ?? origin
                homes["\(field.name.lowercased()): \(field.value)"] = home
                return home
            }
            guard home != origin, !trusted.isSuperset(of: [home.host, origin.host]) else { continue }
            scheduler.story.report("\(name) has the \(field.name) of \(home)")
        }
    }
}

extension HTTPHeaders.Field {
    fileprivate var isCredential: Bool {
        let names = ["authorization", "proxy-authorization", "cookie"]
        return isSecret || names.contains(name.lowercased()) || SecretHiding.isSecret(name)
    }
}

extension StubResponse {
    /// A short description of the response.
    fileprivate var text: String {
        if let head { return "status \(head.status)" }
        for piece in start {
            if case .silence = piece.kind { return "silence" }
            if case .failure(let error) = piece.kind { return (error as? NetworkFailure)?.kind.rawValue ?? "\(error)" }
        }
        return "no response"
    }
}
