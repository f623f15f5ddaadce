import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Wraps the few POSIX calls that the loopback server needs.
enum LoopbackSocket {
    /// Opens a listening socket on a port of 127.0.0.1; 0 takes any free port.
    static func listening(at port: UInt16) throws -> (socket: Int32, port: UInt16) {
        let listener = socket(AF_INET, number(SOCK_STREAM), 0)
        guard listener >= 0 else { throw SocketFailure("socket") }
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        // A later server on this port must not wait for this one's ended connections, which inherit the option.
        set(SO_REUSEADDR, Int32(1), of: listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound, listen(listener, 128) == 0 else {
            let failure = SocketFailure("listen")
            close(listener)
            throw failure
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    static func accepted(from listener: Int32) -> Int32? {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else { return nil }
        // A test's child process must not keep the connection open.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, [Int32(1)], socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            set(SO_NOSIGPIPE, Int32(1), of: socket)
        #endif
        return socket
    }

    static func isReadable(_ socket: Int32, within seconds: TimeInterval) -> Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, Int32(saturating: seconds * 1000)) > 0
    }

    /// Receives available bytes; nil when the client has closed the connection.
    static func receive(from socket: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(socket, &bytes, bytes.count, 0)
            if count > 0 { return Data(bytes[..<count]) }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    /// Sends all bytes, and returns whether they could be sent.
    static func send(_ data: Data, to socket: Int32) -> Bool {
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

    /// Returns whether the client has closed the connection, without consuming bytes that it sent before.
    static func isHungUp(_ socket: Int32) -> Bool {
        guard isReadable(socket, within: 0) else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK)) <= 0
    }

    /// Shuts down both directions, which wakes a thread that waits for bytes.
    static func shutDown(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_RDWR)) }

    /// Shuts down sending, then reads the remaining bytes, so that closing doesn't reset the connection.
    static func finish(_ socket: Int32) {
        _ = shutdown(socket, Int32(SHUT_WR))
        while isReadable(socket, within: 0.05), receive(from: socket) != nil {}
    }

    /// Makes the next `close` reset the connection.
    static func resetOnClose(_ socket: Int32) { set(SO_LINGER, linger(l_onoff: 1, l_linger: 0), of: socket) }

    static func close(_ socket: Int32) { closeDescriptor(socket) }

    private static func set<Value: BitwiseCopyable>(_ option: Int32, _ value: Value, of socket: Int32) {
        var value = value
        setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

/// Reports that the loopback server could not listen.
package struct SocketFailure: Error, CustomStringConvertible {
    /// The call that failed, and the system's reason.
    package let description: String

    package init(_ call: String, _ code: Int32 = errno) {
        description = "the loopback server can't listen on 127.0.0.1: \(call): \(String(cString: strerror(code)))"
    }
}

#if canImport(Darwin)
    private let noSignal: Int32 = 0
#else
    private let noSignal = Int32(MSG_NOSIGNAL)
#endif

private func number(_ constant: Int32) -> Int32 { constant }

/// For C libraries that declare it as an enumeration.
private func number<Constant: RawRepresentable>(_ constant: Constant) -> Int32
where Constant.RawValue: BinaryInteger { Int32(constant.rawValue) }

private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

private func sendBytes(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    // Android declares that it takes no null.
    bytes.baseAddress.map { send(socket, $0, bytes.count, flags) } ?? 0
}
