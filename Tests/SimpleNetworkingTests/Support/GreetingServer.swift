import Foundation
import SimpleNetworkingSupport

@testable import SimpleNetworkingCore

/// Sends its text to each client without a request; or accepts no connection, since its queue is full.
final class GreetingServer: Sendable {
    let port: UInt16
    private let isStopped = Locked(false)
    private let visitors: [Int32]

    init(_ greeting: String, isIPv6: Bool = false) throws {
        let (listener, port) = try isIPv6 ? GreetingServer.listeningOnIPv6() : Socket.listening()
        self.port = port
        visitors = []
        let isStopped = isStopped
        Thread.detachNewThread {
            defer { Socket.close(listener) }
            while !isStopped.withLock({ $0 }) {
                guard Socket.isReadable(listener, within: 0.05), let socket = Socket.accepted(from: listener) else {
                    continue
                }
                _ = Socket.send(Data(greeting.utf8), to: socket)
                Socket.finish(socket)
                Socket.close(socket)
            }
        }
    }

    /// A server whose queue is full.
    init() throws {
        let (listener, port) = try Socket.listening()
        self.port = port
        _ = listen(listener, 0)
        var visitors = [listener]
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        for _ in 0..<4 {
            let visitor = Socket.tcp()
            _ = fcntl(visitor, F_SETFL, O_NONBLOCK)
            visitors.append(visitor)
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(visitor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        self.visitors = visitors
    }

    deinit {
        isStopped.withLock { $0 = true }
        visitors.forEach(Socket.close)
    }

    private static func listeningOnIPv6() throws -> (Int32, UInt16) {
        let listener = Socket.tcp(AF_INET6)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        return (listener, UInt16(bigEndian: address.sin6_port))
    }
}
