#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport

    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore

    /// Serves TLS with the OpenSSL that libcurl uses, so that a test decides how a connection ends.
    final class TLSServer: Sendable {
        let port: UInt16
        private let listener: Int32
        private let ends = Locked(0)

        /// How many connections have ended on both sides.
        var ended: Int { ends.withLock { $0 } }

        /// Serves each connection on a thread of its own.
        ///
        /// The folder has the certificate in `server.pem` and `server.key`. A server that `demandsCertificate` refuses
        /// clients without one.
        init(
            certificateIn folder: URL,
            demandsCertificate: Bool = false,
            serve: @escaping @Sendable (_ connection: TLSConnection, _ number: Int) -> Void
        ) throws {
            guard let library = OpenSSL.shared else { throw POSIXError(.ENOENT) }
            let (listener, port) = try Socket.listening()
            (self.listener, self.port) = (listener, port)
            let context = UInt(bitPattern: library.context(folder, demandsCertificate))
            Thread.detachNewThread { [ends] in
                for number in 1... {
                    guard let socket = Socket.accepted(from: listener) else { return }
                    Thread.detachNewThread {
                        defer {
                            Socket.close(socket)
                            ends.withLock { $0 += 1 }
                        }
                        library.ignoreBrokenPipes()
                        guard let connection = TLSConnection(library, context, socket) else { return }
                        serve(connection, number)
                        connection.free()
                    }
                }
            }
        }

        /// Stops listening; connections end with their clients.
        deinit {
            Socket.shutDown(listener)
            Socket.close(listener)
        }
    }

    /// A client's connection to a `TLSServer`, for the thread that serves it.
    struct TLSConnection {
        private let library: OpenSSL
        private let session: OpaquePointer
        private let socket: Int32

        fileprivate init?(_ library: OpenSSL, _ context: UInt, _ socket: Int32) {
            guard let session = library.new(OpaquePointer(bitPattern: context)) else { return nil }
            (self.library, self.session, self.socket) = (library, session, socket)
            _ = library.setFile(session, socket)
            guard library.accept(session) == 1 else {
                // The alert would be lost if the client's request met a closed socket.
                finish()
                free()
                return nil
            }
        }

        /// Returns some bytes; nil if the client has ended the connection.
        func receive() -> Data? {
            var bytes = [UInt8](repeating: 0, count: 16 << 10)
            let count = library.read(session, &bytes, Int32(bytes.count))
            return count > 0 ? Data(bytes.prefix(Int(count))) : nil
        }

        /// Sends all bytes at once, in as few records as possible; false if the client has ended the connection.
        @discardableResult
        func send(_ data: Data) -> Bool {
            data.isEmpty || data.withUnsafeBytes { library.write(session, $0.baseAddress, Int32($0.count)) > 0 }
        }

        /// Announces the end of TLS.
        func announceEnd() { _ = library.shutDown(session) }

        /// Ends this side of the connection, and waits until the client has ended it as well.
        func finish() {
            _ = shutdown(socket, Int32(SHUT_WR))
            while Socket.receive(from: socket) != nil {}
        }

        /// Has the connection end with a reset.
        func reset() { Socket.resetOnClose(socket) }

        fileprivate func free() { library.free(session) }
    }

    /// The functions of OpenSSL that a server needs.
    private struct OpenSSL: Sendable {
        static let shared = OpenSSL()

        typealias Session = OpaquePointer?
        typealias Choose =
            @convention(c) (
                Session, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
                UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
            ) -> Int32
        let method: @convention(c) () -> OpaquePointer?
        let newContext: @convention(c) (OpaquePointer?) -> OpaquePointer?
        let useCertificate: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32
        let useKey: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32
        let choose: @convention(c) (OpaquePointer?, Choose, UnsafeMutableRawPointer?) -> Void
        let verify: @convention(c) (OpaquePointer?, Int32, UnsafeMutableRawPointer?) -> Void
        let new: @convention(c) (OpaquePointer?) -> Session
        let setFile: @convention(c) (Session, Int32) -> Int32
        let accept: @convention(c) (Session) -> Int32
        let read: @convention(c) (Session, UnsafeMutableRawPointer?, Int32) -> Int32
        let write: @convention(c) (Session, UnsafeRawPointer?, Int32) -> Int32
        let shutDown: @convention(c) (Session) -> Int32
        let free: @convention(c) (Session) -> Void

        init?() {
            guard let library = dlopen("libssl.so.3", RTLD_LAZY) else { return nil }
            func function<Function>(_ name: String) -> Function {
                unsafeBitCast(dlsym(library, name), to: Function.self)
            }
            method = function("TLS_server_method")
            newContext = function("SSL_CTX_new")
            useCertificate = function("SSL_CTX_use_certificate_file")
            useKey = function("SSL_CTX_use_PrivateKey_file")
            choose = function("SSL_CTX_set_alpn_select_cb")
            verify = function("SSL_CTX_set_verify")
            new = function("SSL_new")
            setFile = function("SSL_set_fd")
            accept = function("SSL_accept")
            read = function("SSL_read")
            write = function("SSL_write")
            shutDown = function("SSL_shutdown")
            free = function("SSL_free")
        }

        /// Makes a context for servers that choose HTTP/2, which lives as long as the process.
        func context(_ folder: URL, _ demandsCertificate: Bool) -> OpaquePointer? {
            let context = newContext(method())
            _ = useCertificate(context, folder.appendingPathComponent("server.pem").path, 1)
            _ = useKey(context, folder.appendingPathComponent("server.key").path, 1)
            // SSL_VERIFY_PEER and SSL_VERIFY_FAIL_IF_NO_PEER_CERT.
            if demandsCertificate { verify(context, 3, nil) }
            let chooseHTTP2: Choose = { _, chosen, count, offered, length, _ in
                let names = UnsafeBufferPointer(start: offered, count: Int(length))
                // Each name comes after its length.
                guard let place = names.indices.first(where: { names[$0...].starts(with: Array("\u{2}h2".utf8)) })
                else {
                    return 3
                }
                chosen?.pointee = offered.map { $0 + place + 1 }
                count?.pointee = 2
                return 0
            }
            choose(context, chooseHTTP2, nil)
            return context
        }

        /// OpenSSL writes in a way that raises SIGPIPE.
        func ignoreBrokenPipes() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
    }
#endif
