import Foundation

@testable import SimpleNetworkingCore

/// Connects to a port of this machine and says what it likes.
final class Visitor: Sendable {
    private let socket: Int32

    init(port: Int, _ text: String = "") throws {
        socket = Socket.tcp()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let socket = socket
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        say(text)
    }

    deinit { Socket.close(socket) }

    func say(_ text: String) { _ = Socket.send(Data(text.utf8), to: socket) }

    /// All that is said until the other side hangs up.
    func reply() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var data = Data()
                while let more = Socket.receive(from: socket) { data += more }
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}
