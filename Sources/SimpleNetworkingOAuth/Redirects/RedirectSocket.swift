import SimpleNetworkingSupport

/// Wraps the POSIX calls that a listener needs.
enum RedirectSocket {
    /// Listens on 127.0.0.1, on the given port, or on any free port if it is 0.
    static func listening(port: UInt16) throws(OAuthError) -> (socket: Int32, port: UInt16) {
        let listener = socket(AF_INET, number(SOCK_STREAM), 0)
        guard listener >= 0 else { throw failure("socket") }
        prepare(listener)
        // Allows a port that was in use a moment ago.
        set(SO_REUSEADDR, of: listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else {
            let failure = failure("bind")
            close(listener)
            throw failure
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Creates a pipe; `ring` makes its reader readable.
    static func pipe() throws(OAuthError) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        guard makePipe(&ends) == 0 else { throw failure("pipe") }
        ends.forEach(prepare)
        return (ends[0], ends[1])
    }

    static func ring(_ writer: Int32) { _ = write(writer, [1], 1) }

    /// Waits for sockets that are readable or closed; returns none after a timeout or a signal.
    static func readable(among sockets: [Int32], within seconds: TimeInterval) throws(OAuthError) -> Set<Int32> {
        var descriptors = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = seconds.isNaN ? 0 : Int32(max(0, min(seconds * 1000, 86_400_000)).rounded(.up))
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) >= 0 || errno == EINTR else {
            throw failure("poll")
        }
        return Set(descriptors.filter { $0.revents != 0 }.map(\.fd))
    }

    /// Returns the next connection, or nil if it is already closed.
    static func accepted(from listener: Int32) throws(OAuthError) -> Int32? {
        let socket = accept(listener, nil, nil)
        if socket >= 0 {
            prepare(socket)
            #if canImport(Darwin)
                set(SO_NOSIGPIPE, of: socket)
            #endif
            return socket
        }
        // The listener would stay ready, and the caller would spin.
        if errno == EMFILE || errno == ENFILE { throw failure("accept") }
        return nil
    }

    /// Returns the bytes that have arrived, if any, or nil if the peer has closed the connection.
    static func receive(from socket: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4 << 10)
        let count = recv(socket, &bytes, bytes.count, 0)
        if count > 0 { return Array(bytes[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    /// Sends a final response, which is short enough for the system's buffer.
    static func finish(_ socket: Int32, with bytes: [UInt8]) {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        _ = send(socket, bytes, bytes.count, flags)
        _ = shutdown(socket, Int32(SHUT_WR))
    }

    static func close(_ descriptor: Int32) { closeDescriptor(descriptor) }

    /// Makes a descriptor nonblocking, and keeps child processes from inheriting it.
    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func set(_ option: Int32, of socket: Int32) {
        var isOn: Int32 = 1
        setsockopt(socket, SOL_SOCKET, option, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func failure(_ call: String) -> OAuthError {
        .cannotListen(reason: "“\(call)” failed: \(String(cString: strerror(errno)))")
    }
}

// Outside the type, whose own functions have the same name.
private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

private func makePipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

// An enumeration case in glibc, a number elsewhere.
private func number<Constant: RawRepresentable>(_ constant: Constant) -> Int32 where Constant.RawValue: BinaryInteger {
    Int32(constant.rawValue)
}

private func number(_ constant: Int32) -> Int32 { constant }
