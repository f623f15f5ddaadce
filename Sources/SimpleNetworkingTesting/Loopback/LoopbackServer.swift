import Foundation
import SimpleNetworking

/// Serves the rules of a stub over a real socket on 127.0.0.1, for programs that take a base URL.
///
/// ```swift
/// let server = try LoopbackServer(StubTransport().on("/user", .json(#"{"name": "Ada"}"#)))
/// try run("my-tool", "--url", server.url.absoluteString)
/// try server.stub.verify()
/// ```
///
/// Gates, delays, cuts and wrong lengths of the responses go over the wire as they are. A failure without a response
/// breaks the connection. A request without a matching rule gets 501, with the nearest rule as its text.
///
/// It stops with `stop()`, or when it is released.
public final class LoopbackServer: Sendable {
    /// The rules, and the requests that came.
    public let stub: StubTransport
    /// The port.
    public let port: UInt16
    private let core: LoopbackCore

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - stub: The rules; more may be added later.
    ///   - port: The port. The default, 0, takes any free one.
    /// - Throws: An error that names the system's reason, if no socket can be had.
    public init(_ stub: StubTransport, port: UInt16 = 0) throws {
        let (listener, port) = try LoopbackSocket.listening(at: port)
        self.stub = stub
        self.port = port
        core = LoopbackCore(stub: stub, listener: listener, port: port)
        Thread.detachNewThread { [core] in core.accept() }
    }

    deinit { core.stop() }

    /// The base URL, such as `http://127.0.0.1:49152`.
    public var url: URL { core.url }

    /// Closes every connection and stops listening.
    ///
    /// When it returns, another server can have the port.
    public func stop() {
        core.stop()
        core.waitUntilClosed()
    }
}

/// What the connections' threads hold: not the server itself, so that it can be released while they run.
final class LoopbackCore: Sendable {
    private struct State {
        var sockets: Set<Int32> = []
        var isStopped = false
    }

    let stub: StubTransport
    let url: URL
    private let listener: Int32
    private let state = Locked(State())
    /// Signalled when the listening socket is closed.
    private let isClosed = DispatchSemaphore(value: 0)

    init(stub: StubTransport, listener: Int32, port: UInt16) {
        self.stub = stub
        self.listener = listener
        url = URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
    }

    var isStopped: Bool { state.withLock(\.isStopped) }

    func stop() {
        state.withLock { state in
            // The listener is open until then.
            if !state.isStopped { LoopbackSocket.shutDown(listener) }
            state.isStopped = true
            // Wakes the threads that wait for bytes; each closes its own socket.
            state.sockets.forEach(LoopbackSocket.shutDown)
        }
    }

    /// Waits for the thread that accepts, which closes the listening socket within its turn.
    func waitUntilClosed() {
        isClosed.wait()
        // For others that stop the server, too.
        isClosed.signal()
    }

    func accept() {
        defer {
            LoopbackSocket.close(listener)
            isClosed.signal()
        }
        while !isStopped {
            // In short turns, since shutting a listening socket down does not wake Darwin's accept.
            guard LoopbackSocket.isReadable(listener, within: 0.05),
                let socket = LoopbackSocket.accepted(from: listener)
            else { continue }
            let isOpen = state.withLock { state in
                if !state.isStopped { state.sockets.insert(socket) }
                return !state.isStopped
            }
            guard isOpen else { return LoopbackSocket.close(socket) }
            let thread = Thread {
                var connection = LoopbackConnection(socket: socket, core: self)
                connection.run()
                // Out of the list first: stop() must not shut down a number that the system has given away again.
                self.state.withLock { _ = $0.sockets.remove(socket) }
                LoopbackSocket.close(socket)
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }
}
