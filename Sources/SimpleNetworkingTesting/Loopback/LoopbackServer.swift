import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Serves a stub's rules over a real socket on 127.0.0.1, for programs that accept a base URL.
///
/// ```swift
/// let server = try LoopbackServer(StubTransport().on("/user", .json(#"{"name": "Ada"}"#)))
/// try run("my-tool", "--url", server.url.absoluteString)
/// try server.stub.verify()
/// ```
///
/// The server reproduces the gates, delays, cuts and wrong lengths of responses on the wire. For a failure without a
/// response, the server breaks the connection. If no rule matches a request, the server responds with the status 501
/// and text that describes the nearest rule.
///
/// The server stops when you call `stop()`, or when it is released.
public final class LoopbackServer: Sendable {
    /// The stub with the rules and the received requests.
    public let stub: StubTransport
    /// The port that the server listens on.
    public let port: UInt16
    private let core: LoopbackCore

    /// Creates a server and starts listening.
    ///
    /// - Parameters:
    ///   - stub: The stub with the rules. You can add more rules later.
    ///   - port: The port to listen on. The default is 0, which selects any free port.
    /// - Throws: An error that contains the system's reason, if no socket is available.
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
    /// When this method returns, another server can use the port.
    public func stop() {
        core.stop()
        core.waitUntilClosed()
    }
}

/// The state that the connections' threads retain, instead of the server, so that it can be released while they run.
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
            // Until then, the listener is open.
            if !state.isStopped { LoopbackSocket.shutDown(listener) }
            state.isStopped = true
            // Wakes the threads that wait for bytes; each closes its own socket.
            state.sockets.forEach(LoopbackSocket.shutDown)
        }
    }

    /// Waits for the accepting thread, which closes the listening socket within its turn.
    func waitUntilClosed() {
        isClosed.wait()
        // For other callers that stop the server.
        isClosed.signal()
    }

    func accept() {
        defer {
            LoopbackSocket.close(listener)
            isClosed.signal()
        }
        while !isStopped {
            // In short turns, because shutting down a listening socket doesn't wake `accept` on Darwin.
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
                // Removed from the list first: `stop()` must not shut down a number that the system has reassigned.
                self.state.withLock { _ = $0.sockets.remove(socket) }
                LoopbackSocket.close(socket)
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }
}
