import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Plays the response to one request over a socket.
///
/// A task plays the response, because gates and delays are awaited. The connection's thread writes it, because writing
/// blocks.
struct LoopbackExchange {
    private enum Message: Sendable {
        case begin(StubPlayer)
        case part(StubPlayer.Part)
        case end((any Error)?)
    }

    /// How the end of the body is marked.
    private enum Framing {
        case none, length(Int), chunks, untilClose

        var isUntilClose: Bool { if case .untilClose = self { true } else { false } }
    }

    let request: TransportRequest
    /// Whether it is HTTP/1.0, which supports neither chunks nor interim responses.
    let isOld: Bool
    let socket: Int32
    let core: LoopbackCore

    private let messages = Locked<[Message]>([])
    private let isNews = DispatchSemaphore(value: 0)

    init(request: TransportRequest, isOld: Bool, socket: Int32, core: LoopbackCore) {
        self.request = request
        self.isOld = isOld
        self.socket = socket
        self.core = core
    }

    /// Sends the response, and returns whether another request may follow.
    func run() -> Bool {
        let task = Task { [stub = core.stub, request, messages, isNews] in
            func put(_ message: Message) {
                messages.withLock { $0.append(message) }
                isNews.signal()
            }
            do {
                let player = try await stub.player(for: request)
                put(.begin(player))
                try await player.play { put(.part($0)) }
                put(.end(nil))
            } catch {
                put(.end(error))
            }
        }
        defer { task.cancel() }
        var player: StubPlayer?
        var framing = Framing.none
        var hasHead = false
        var count = 0
        var closes = self.closes([:])
        while let message = next() {
            switch message {
            case .begin(let begun): player = begun
            case .part(.interim(let status, let headers)):
                guard isOld || send(status, headers, .none) else { return false }
            case .part(.head(let status, let headers)):
                framing = self.framing(status, headers, player)
                hasHead = true
                closes = self.closes(headers)
                guard send(status, headers, framing, closes: closes) else { return false }
            case .part(.content(let data)):
                count += data.count
                guard send(data, framing) else { return false }
            case .end(let error):
                guard end(error, framing, player, hasHead: hasHead, count) else { return false }
                if closes { LoopbackSocket.finish(socket) }
                return !closes
            }
        }
        return false
    }

    /// Waits for the next message; nil when the server stops or the client closes the connection.
    private func next() -> Message? {
        while isNews.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
            if core.isStopped || LoopbackSocket.isHungUp(socket) { return nil }
        }
        return messages.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Returns whether the connection ends with a response (RFC 9112 §9.6).
    private func closes(_ headers: HTTPHeaders) -> Bool {
        isOld || [request.headers, headers].contains { $0["Connection"]?.lowercased().contains("close") == true }
    }

    // MARK: Writing

    private func framing(_ status: Int, _ headers: HTTPHeaders, _ player: StubPlayer?) -> Framing {
        if (100...199).contains(status) || status == 204 || status == 304 { return .none }
        let announced = headers["Content-Length"].flatMap { Int($0) }
        if let length = announced ?? player?.knownLength {
            // A body of the announced length would be complete, despite the cut after it.
            let isCutTooLate = announced == nil && player?.response.cut.map { $0.count >= length } == true
            if !isCutTooLate { return .length(length) }
        }
        return isOld ? .untilClose : .chunks
    }

    private func send(_ status: Int, _ headers: HTTPHeaders, _ framing: Framing, closes: Bool = false) -> Bool {
        // The reason phrase may be empty (RFC 9112 §4).
        var lines = ["HTTP/1.1 \(status) "] + headers.map { "\($0.name): \($0.value)" }
        switch framing {
        case .none, .untilClose: break
        case .length(let length): if !headers.contains("Content-Length") { lines.append("Content-Length: \(length)") }
        case .chunks: lines.append("Transfer-Encoding: chunked")
        }
        if closes, !headers.contains("Connection") { lines.append("Connection: close") }
        return LoopbackSocket.send(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8), to: socket)
    }

    private func send(_ data: Data, _ framing: Framing) -> Bool {
        guard request.method != .head, !data.isEmpty else { return true }
        switch framing {
        case .none: return true
        case .length, .untilClose: return LoopbackSocket.send(data, to: socket)
        case .chunks:
            let chunk = Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8)
            return LoopbackSocket.send(chunk, to: socket)
        }
    }

    private func end(
        _ error: (any Error)?,
        _ framing: Framing,
        _ player: StubPlayer?,
        hasHead: Bool,
        _ count: Int
    ) -> Bool {
        if let error {
            // The response itself is the best place for the reason, which the program's author sees there.
            if player == nil { return refuse("\(error)", status: error is UnscriptedRequest ? 501 : 500) }
            // Closing the connection would complete a response without a length.
            let end = hasHead && !framing.isUntilClose ? LoopbackSocket.finish : LoopbackSocket.resetOnClose
            end(socket)
            return false
        }
        // A response without a head, such as a silent one, has ended by cancellation.
        guard hasHead else { return false }
        switch framing {
        case .none, .untilClose: return true
        case .chunks:
            if request.method == .head { return true }
            let trailers = player?.response.trailers.map { "\($0.name): \($0.value)\r\n" }.joined() ?? ""
            return LoopbackSocket.send(Data("0\r\n\(trailers)\r\n".utf8), to: socket)
        case .length(let length):
            if length == count || request.method == .head { return true }
            LoopbackSocket.finish(socket)
            return false
        }
    }

    private func refuse(_ reason: String, status: Int) -> Bool {
        let body = Data(reason.utf8)
        let headers: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8"]
        return send(status, headers, .length(body.count), closes: closes([:])) && send(body, .length(body.count))
    }
}
