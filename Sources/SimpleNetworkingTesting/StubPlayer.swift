import Foundation
import SimpleNetworkingCore

/// Plays a stubbed response step by step, and reports what it waits for.
struct StubPlayer: Sendable {
    /// A part of the response: first any interim responses, then one head, and then content.
    enum Part: Sendable {
        case interim(status: Int, headers: HTTPHeaders)
        case head(status: Int, headers: HTTPHeaders)
        case content(Data)
    }

    let response: StubResponse
    let clock: any RequestClock
    /// Called when a wait begins; the returned closure is called when it ends.
    let onWait: @Sendable (String) -> @Sendable () -> Void

    /// Plays all steps.
    ///
    /// - Throws: The error that the response ends with, or `CancellationError`.
    func play(_ receive: (Part) async throws -> Void) async throws {
        for piece in response.start {
            if case .interim(let status, let headers) = piece.kind {
                try await receive(.interim(status: status, headers: headers))
            } else {
                try await pass(piece)
            }
        }
        guard let head = response.head else { return }
        try await receive(.head(status: head.status, headers: head.headers))
        var rest = response.cut?.count ?? .max
        for piece in response.body {
            guard let data = piece.content else {
                try await pass(piece)
                continue
            }
            if rest > 0 { try await receive(.content(data.prefix(rest))) }
            rest -= min(rest, data.count)
            if rest == 0 { break }
        }
        if let cut = response.cut { throw cut.error }
    }

    /// The length of the body if it is known at the start, as for a body in memory.
    var knownLength: Int? {
        if let length = response.announcedLength { return length }
        guard response.trailers.isEmpty else { return nil }
        let contents = response.body.compactMap(\.content)
        return contents.count == response.body.count && contents.count <= 1 ? contents.first?.count ?? 0 : nil
    }

    private func pass(_ piece: StubPiece) async throws {
        switch piece.kind {
        case .content, .interim: break
        case .failure(let error): throw error
        case .gate(let gate):
            let end = onWait("waits for a gate")
            defer { end() }
            try await gate.wait()
        case .delay(let seconds):
            let end = onWait("waits \(seconds) s")
            defer { end() }
            let gate = Gate()
            let cancel = clock.schedule(after: seconds, for: .response) { gate.open() }
            defer { cancel() }
            try await gate.wait()
        case .silence:
            let end = onWait("never gets a response")
            defer { end() }
            let endSilence = (clock as? VirtualClock)?.stall.beginSilence()
            defer { endSilence?() }
            try await Gate().wait()
            throw CancellationError()
        }
    }
}

/// Delivers a played response to the sender of the request, as a transport does.
struct StubDelivery: Sendable {
    let request: TransportRequest
    let player: StubPlayer

    private struct State {
        var response = TransportResponse(httpStatus: 200)
        var hasHead = false
        var received = 0
    }

    func run() async throws -> TransportResponse {
        var state = State()
        do { return try await run(&state) } catch {
            if state.hasHead, receiver(of: state.response.httpStatus) == nil {
                request.onFailedHead?(state.response.httpStatus, state.response.headers)
            }
            throw error
        }
    }

    private func run(_ state: inout State) async throws -> TransportResponse {
        let length = player.knownLength
        let isHead = request.method == .head
        if let announced = player.response.announcedLength, announced < 0 {
            throw NetworkFailure(.malformedResponse, detail: "Content-Length: \(announced)")
        }
        try await player.play { part in
            switch part {
            case .interim(let status, let headers): request.report?(.interim(status: status, headers: headers))
            case .head(let status, let headers):
                state.response = TransportResponse(httpStatus: status, headers: headers)
                state.hasHead = true
                if let receive = receiver(of: status) { try await receive(.head(status: status, headers: headers)) }
                report(0, of: isHead ? 0 : length)
            case .content(let data):
                // A client reads only up to the announced length.
                let data = data.prefix((player.response.announcedLength ?? .max) - state.received)
                guard !isHead, !data.isEmpty else { return }
                state.received += data.count
                if let receive = receiver(of: state.response.httpStatus) {
                    try await receive(.content(Data(data)))
                } else {
                    guard comesAtOnce || state.received <= request.maxResponseSize else {
                        throw SimpleNetworkingError.tooLarge(limit: request.maxResponseSize, request.head)
                    }
                    state.response.data += data
                }
                report(state.received, of: length)
            }
        }
        if let announced = player.response.announcedLength, state.received < announced, !isHead {
            let detail = "the body ended after \(state.received) of \(announced) bytes"
            throw NetworkFailure(.connectionLost, detail: detail)
        }
        state.response.trailers = player.response.trailers
        return state.response
    }

    /// Whether the body is one piece: the client then passes it to its receiver and reports its progress once.
    private var comesAtOnce: Bool {
        let response = player.response
        return response.cut == nil && response.announcedLength == nil && response.body.allSatisfy { $0.content != nil }
            && response.body.count <= 1
    }

    /// Returns the receiver; only the content of a successful response is streamed.
    private func receiver(of status: Int) -> (@Sendable (ResponsePart) async throws -> Void)? {
        guard !comesAtOnce, case .stream(let receive) = request.sink, (200...299).contains(status) else { return nil }
        return receive
    }

    private func report(_ received: Int, of length: Int?) {
        guard !comesAtOnce, let report = request.progress else { return }
        let sent = request.body.byteCount
        report(
            TransferProgress(
                bytesSent: sent ?? 0,
                bytesToSend: sent,
                bytesReceived: received,
                bytesToReceive: length
            )
        )
    }
}
