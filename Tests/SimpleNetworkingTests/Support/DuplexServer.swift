import Foundation
import Testing

/// Serves one request, and may send its response while the content of the request still arrives.
final class DuplexServer: Sendable {
    let url: URL
    private let listener: Int32

    /// The closure gets the connection, and what has arrived behind the head of the request.
    private init(_ serve: @escaping @Sendable (_ socket: Int32, _ early: Data) -> Void) throws {
        let (listener, port) = try Socket.listening()
        self.listener = listener
        url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        Thread.detachNewThread {
            guard let socket = Socket.accepted(from: listener) else { return }
            defer { Socket.close(socket) }
            var head = Data()
            let mark = Data("\r\n\r\n".utf8)
            while head.range(of: mark) == nil, let more = Socket.receive(from: socket) { head += more }
            guard let end = head.range(of: mark)?.upperBound else { return }
            serve(socket, Data(head[end...]))
        }
    }

    deinit {
        // Ends the thread if no client has come.
        Socket.shutDown(listener)
        Socket.close(listener)
    }

    private static let head = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

    /// Sends the chunks of the content back as they arrive, framing and all.
    static func echo() throws -> DuplexServer {
        try DuplexServer { socket, early in
            var content: Data? = head + early
            while let piece = content, Socket.send(piece, to: socket) { content = Socket.receive(from: socket) }
        }
    }

    /// Sends a reply without waiting for the content.
    static func reply(_ reply: String) throws -> DuplexServer {
        try DuplexServer { socket, _ in
            _ = Socket.send(Data(reply.utf8), to: socket)
            while Socket.receive(from: socket) != nil {}
        }
    }

    /// Sends “A” so many times, and waits each time until it comes back.
    static func speak(times: Int) throws -> DuplexServer {
        try DuplexServer { socket, early in
            let isEcho: (UInt8) -> Bool = { $0 == UInt8(ascii: "A") }
            var echoes = early.filter(isEcho).count
            guard Socket.send(head, to: socket) else { return }
            for number in 1...times {
                guard Socket.send(Data("1\r\nA\r\n".utf8), to: socket) else { return }
                while echoes < number {
                    guard let more = Socket.receive(from: socket) else { return }
                    echoes += more.filter(isEcho).count
                }
            }
            _ = Socket.send(Data("0\r\n\r\n".utf8), to: socket)
            while Socket.receive(from: socket) != nil {}
        }
    }
}
