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

extension Socket {
    /// Opens a unix domain socket that listens at a path.
    static func listening(at path: String) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let listener = tcp(AF_UNIX)
        let isListening = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(listener, 1024) == 0
            }
        }
        guard isListening else {
            defer { close(listener) }
            throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
        }
        return listener
    }
}
