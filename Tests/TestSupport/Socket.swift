import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// Wraps the few POSIX calls that the raw server needs, for Linux and Darwin.
package enum Socket {
    /// Opens a listening socket on a free port of 127.0.0.1.
    package static func listening() throws -> (socket: Int32, port: UInt16) {
        let (listener, port) = try bound()
        guard listen(listener, 1024) == 0 else {
            defer { close(listener) }
            throw failure("listen")
        }
        return (listener, port)
    }

    /// Takes a free port of 127.0.0.1 without listening: connections are refused.
    package static func bound() throws -> (socket: Int32, port: UInt16) {
        let listener = tcp()
        guard listener >= 0 else { throw failure("socket") }
        set(SO_REUSEADDR, Int32(1), of: listener)
        var address = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else {
            defer { close(listener) }
            throw failure("bind")
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Finds a port of 127.0.0.1 that nothing listens on.
    package static func freePort() throws -> UInt16 {
        let (listener, port) = try listening()
        close(listener)
        return port
    }

    /// Waits until another program listens on the port, for five seconds at most.
    package static func waitForListener(on port: UInt16) {
        for _ in 0..<1000 where !isListening(port) { usleep(5000) }
    }

    private static func isListening(_ port: UInt16) -> Bool {
        let client = tcp()
        defer { close(client) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    /// A TCP socket that is connected to nothing yet.
    package static func tcp(_ family: Int32 = AF_INET) -> Int32 {
        closedOnExec(socket(family, number(SOCK_STREAM), 0))
    }

    /// Keeps the processes of exit tests from inheriting it: they count files, and would keep a connection open.
    private static func closedOnExec(_ socket: Int32) -> Int32 {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        return socket
    }

    package static func accepted(from listener: Int32) -> Int32? {
        let socket = closedOnExec(accept(listener, nil, nil))
        guard socket >= 0 else { return nil }
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, [Int32(1)], socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            set(SO_NOSIGPIPE, Int32(1), of: socket)
        #endif
        return socket
    }

    package static func isReadable(_ socket: Int32, within seconds: TimeInterval) -> Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, Int32(seconds * 1000)) > 0
    }

    /// Waits until one of some sockets has something to read, and gives it.
    package static func readable(among sockets: [Int32]) -> Int32? {
        var descriptors = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&descriptors, numericCast(descriptors.count), -1) > 0 else { return nil }
        return descriptors.first { $0.revents != 0 }?.fd
    }

    /// Receives some bytes, or nil when the peer has hung up.
    package static func receive(from socket: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(socket, &bytes, bytes.count, 0)
            if count > 0 { return Data(bytes[..<count]) }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    /// Sends all bytes, and tells whether they could be sent.
    package static func send(_ data: Data, to socket: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = sendBytes(socket, UnsafeRawBufferPointer(rebasing: bytes[sent...]), noSignal)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    /// Sends all bytes, and tells when the peer has taken none for two seconds.
    package static func send(_ data: Data, to socket: Int32, onStall: () -> Void) -> Bool {
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                let count = sendBytes(socket, rest, noSignal | noWaiting)
                if count > 0 { sent += count }
                guard count < 0 else { continue }
                guard errno == EAGAIN || errno == EINTR else { return false }
                var descriptor = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
                if poll(&descriptor, 1, 2_000) == 0 { onStall() }
            }
            return true
        }
    }

    /// Tells whether the peer has closed, without taking bytes that it sent before.
    package static func isHungUp(_ socket: Int32) -> Bool {
        guard isReadable(socket, within: 0) else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK)) <= 0
    }

    /// Ends both directions, which wakes a thread that waits in `receive` or `send`.
    package static func shutDown(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_RDWR)) }

    /// Ends the sending direction orderly, then reads what is left, so that closing sends no RST.
    package static func finish(_ socket: Int32) {
        _ = shutdown(socket, Int32(SHUT_WR))
        while isReadable(socket, within: 0.05), receive(from: socket) != nil {}
    }

    /// Makes the coming `close` send a RST.
    package static func resetOnClose(_ socket: Int32) { set(SO_LINGER, linger(l_onoff: 1, l_linger: 0), of: socket) }

    package static func close(_ socket: Int32) { closeDescriptor(socket) }

    private static func set<Value: BitwiseCopyable>(_ option: Int32, _ value: Value, of socket: Int32) {
        var value = value
        setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
    }

    private static func failure(_ call: String) -> NSError {
        NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: [NSLocalizedDescriptionKey: call])
    }
}

#if canImport(Darwin)
    private let noSignal: Int32 = 0
    private let noWaiting = MSG_DONTWAIT
#else
    private let noSignal = Int32(MSG_NOSIGNAL)
    private let noWaiting = Int32(MSG_DONTWAIT)
#endif

private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

private func sendBytes(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    send(socket, bytes.baseAddress, bytes.count, flags)
}

/// A constant of the C library: an enumeration's case in glibc, a number elsewhere.
package func number<Constant: RawRepresentable>(_ constant: Constant) -> Int32 where Constant.RawValue: BinaryInteger {
    Int32(constant.rawValue)
}

package func number(_ constant: Int32) -> Int32 { constant }
