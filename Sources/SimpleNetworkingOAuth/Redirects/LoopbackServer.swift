/// Answers whoever connects until the redirect comes, on the thread that calls `run()`.
///
/// Browsers open connections ahead of need and say nothing on them, so all are listened to at once.
struct LoopbackServer: Sendable {
    private struct Connection {
        let socket: Int32
        var head: [UInt8] = []

        var isComplete: Bool { head.suffix(4).elementsEqual("\r\n\r\n".utf8) }
    }

    private enum Outcome {
        case closed
        case redirect(URL)
    }

    private static let maxConnections = 32
    private static let maxHeadSize = 16 << 10

    let listener: Int32
    /// Becomes readable when the wait is to end.
    let alarm: Int32
    let seconds: TimeInterval
    let redirectURI: URL
    let accepts: @Sendable (URL) -> Bool

    func run() throws -> URL {
        let clock = SystemClock()
        let end = clock.now + seconds
        var connections: [Connection] = []
        defer { connections.map(\.socket).forEach(LoopbackSocket.close) }
        while true {
            let ready = try LoopbackSocket.readable(
                among: [alarm, listener] + connections.map(\.socket),
                within: end - clock.now
            )
            if ready.isEmpty, clock.now >= end { throw OAuthError.timedOut(seconds) }
            if ready.contains(alarm) { throw CancellationError() }
            for (index, connection) in connections.enumerated().reversed() where ready.contains(connection.socket) {
                guard let outcome = serve(&connections[index]) else { continue }
                LoopbackSocket.close(connections.remove(at: index).socket)
                if case .redirect(let url) = outcome { return url }
            }
            if ready.contains(listener), let socket = try LoopbackSocket.accepted(from: listener) {
                if connections.count == Self.maxConnections { LoopbackSocket.close(connections.removeFirst().socket) }
                connections.append(Connection(socket: socket))
            }
        }
    }

    /// Reads what has come, and answers when it is enough; nil while it is not.
    private func serve(_ connection: inout Connection) -> Outcome? {
        guard let bytes = LoopbackSocket.receive(from: connection.socket) else { return .closed }
        connection.head += bytes
        guard connection.isComplete || connection.head.count > Self.maxHeadSize else { return nil }
        let text = String(decoding: connection.head, as: UTF8.self)
        let answer = LoopbackAnswer(to: text, redirectURI: redirectURI, accepts: accepts)
        LoopbackSocket.finish(connection.socket, with: answer.bytes)
        return answer.redirect.map(Outcome.redirect) ?? .closed
    }
}
