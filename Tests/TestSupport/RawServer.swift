import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Serves raw bytes over TCP on 127.0.0.1, by script, and can break every rule of HTTP on purpose.
///
/// ```swift
/// let server = try RawServer { request in
///     switch request.path {
///     case "/users": .response(headers: ["Content-Type": "application/json"], body: "[]")
///     case "/echo": .echo(request)
///     default: .reset
///     }
/// }
/// client.get(server.url("/users").absoluteString) { … }
/// #expect(server.requests.first?.method == "GET")
/// ```
///
/// The handler runs on the connection's own thread, so it may block there, and two connections call it at once. Every
/// thread ends with `stop()` or with the server's last reference.
package final class RawServer: Sendable {
    /// What was seen so far.
    package struct Log: Sendable {
        /// Every request that arrived whole, in the order of arrival.
        package var requests: [Request] = []
        /// How many connections were accepted.
        package var opened = 0
        /// How many of them are over, from whichever side.
        package var closed = 0
    }

    /// The port that the system chose.
    package let port: UInt16

    private let core: Core

    /// Starts to listen on a free port, or on a unix domain socket.
    ///
    /// - Parameters:
    ///   - path: Where the socket is made; nil for a port.
    ///   - maxConnections: Connections at once, each with a thread; further ones wait in the system's queue.
    ///   - pause: Seconds to wait after each piece of the first half of a request's content; a piece has 64 KB at most.
    ///   - expecting: Returns the reply to a request that first sends `Expect: 100-continue`; nil lets it continue.
    ///   - handler: Gives the reply to each request.
    /// - Throws: A POSIX error, if no socket can be had.
    package init(
        at path: String? = nil,
        maxConnections: Int = 512,
        pause: TimeInterval = 0,
        expecting: @escaping @Sendable (Request) -> Reply? = { _ in nil },
        _ handler: @escaping @Sendable (Request) -> Reply
    ) throws {
        let (listener, port) = try path.map { (try Socket.listening(at: $0), 0) } ?? Socket.listening()
        self.port = port
        core = Core(maxConnections: maxConnections, pause: pause, expecting: expecting, handler: handler)
        let core = core
        Thread.detachNewThread { core.accept(from: listener) }
    }

    deinit { core.stop() }

    /// Ends every connection and stops listening.
    ///
    /// Held replies are dropped.
    package func stop() { core.stop() }

    /// The URL of a path on this server.
    package func url(_ path: String = "/") -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { preconditionFailure("no URL: \(path)") }
        return url
    }

    /// What was seen so far.
    package var log: Log { core.log }

    /// Every request that arrived whole, in the order of arrival.
    package var requests: [Request] { core.log.requests }

    /// Waits for something to be seen: a number of requests, the end of a connection.
    ///
    /// Returns at once after `stop()`, and when the task is cancelled: a test's time limit does that.
    package func wait(until isReached: @escaping @Sendable (Log) -> Bool) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { core.wait(id, until: isReached, then: $0) }
        } onCancel: {
            core.endWait(id)
        }
    }

    /// Waits until so many requests have arrived whole.
    package func wait(forRequests count: Int) async { await wait { $0.requests.count >= count } }
}

extension RawServer {
    /// What the connections' threads hold: not the server itself, so that it can go while they run.
    final class Core: Sendable {
        private struct Waiter {
            let id: UUID
            let isReached: @Sendable (Log) -> Bool
            let continuation: CheckedContinuation<Void, Never>
        }

        private struct State {
            var log = Log()
            var sockets: Set<Int32> = []
            var waiters: [Waiter] = []
            var isStopped = false
        }

        private let state = Locked(State())
        private let maxConnections: Int
        let pause: TimeInterval
        private let expecting: @Sendable (Request) -> Reply?
        private let handler: @Sendable (Request) -> Reply

        init(
            maxConnections: Int,
            pause: TimeInterval,
            expecting: @escaping @Sendable (Request) -> Reply?,
            handler: @escaping @Sendable (Request) -> Reply
        ) {
            self.maxConnections = maxConnections
            self.pause = pause
            self.expecting = expecting
            self.handler = handler
        }

        var log: Log { state.withLock { $0.log } }
        var isStopped: Bool { state.withLock { $0.isStopped } }

        /// The reply to a request whose content is still to come; nil if it shall come.
        func earlyReply(to request: Request) -> Reply? {
            guard let reply = expecting(request) else { return nil }
            change { $0.requests.append(request) }
            return reply
        }

        func reply(to request: Request) -> Reply {
            change { $0.requests.append(request) }
            return handler(request)
        }

        func stop() {
            let waiters = state.withLock { state in
                state.isStopped = true
                state.sockets.forEach(Socket.shutDown)
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.continuation.resume() }
        }

        func wait(
            _ id: UUID,
            until isReached: @escaping @Sendable (Log) -> Bool,
            then continuation: CheckedContinuation<Void, Never>
        ) {
            let isOver = state.withLock { state in
                if state.isStopped || isReached(state.log) || Task.isCancelled { return true }
                state.waiters.append(Waiter(id: id, isReached: isReached, continuation: continuation))
                return false
            }
            if isOver { continuation.resume() }
        }

        func endWait(_ id: UUID) {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }

        func accept(from listener: Int32) {
            defer { Socket.close(listener) }
            while !isStopped {
                // Polled in short turns, since shutting a listening socket down does not wake Darwin's accept.
                guard state.withLock({ $0.sockets.count < maxConnections }) else {
                    Thread.sleep(forTimeInterval: 0.005)
                    continue
                }
                guard Socket.isReadable(listener, within: 0.05), let socket = Socket.accepted(from: listener) else {
                    continue
                }
                open(socket)
            }
        }

        private func open(_ socket: Int32) {
            let number: Int? = state.withLock { state in
                guard !state.isStopped else { return nil }
                state.sockets.insert(socket)
                state.log.opened += 1
                return state.log.opened
            }
            guard let number else { return Socket.close(socket) }
            let thread = Thread {
                Connection(socket: socket, number: number, core: self).run()
                // Out of the list first: stop() must not shut down a number that the system has given away again.
                self.state.withLock { _ = $0.sockets.remove(socket) }
                Socket.close(socket)
                self.change { $0.closed += 1 }
            }
            thread.stackSize = 512 << 10
            thread.start()
        }

        private func change(_ change: (inout Log) -> Void) {
            let reached = state.withLock { state in
                change(&state.log)
                let log = state.log
                let reached = state.waiters.filter { $0.isReached(log) }
                state.waiters.removeAll { $0.isReached(log) }
                return reached
            }
            for waiter in reached { waiter.continuation.resume() }
        }
    }
}
