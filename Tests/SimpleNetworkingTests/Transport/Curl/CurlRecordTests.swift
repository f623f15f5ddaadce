#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite(
        "CurlTransport, records of TLS without content",
        .timeLimit(.minutes(2)),
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for certificates"),
        .enabled(if: RecordServer.isAvailable, "python3 and OpenSSL 3 are needed")
    )
    struct CurlRecordTests {
        let certificates: NginxServer

        init() throws { certificates = try #require(NginxServer.shared) }

        @Test(.enabled(if: readsOneRecord, "with this libcurl, OpenSSL reads ahead"))
        func aServerThatUpdatesItsKeysWithoutEndDelaysNoOtherRequestAndNoTimeout() async throws {
            let hostile = try RecordServer(script: RecordServer.updatesKeys, [certificates.folder.path])
            let server = try RawServer { _ in .response(body: "sound") }
            let transport = try curl { $0.caFile = certificates.ca }
            let ends = Recorder<String>()
            async let hostileEnd: Void = ends.add(transport.end(of: hostile.url) { $0.timeout = 20 })
            await hostile.waitForOutput()
            for _ in 0..<50 { #expect(try await transport.get(server.url()).text == "sound") }
            ends.add("sound")
            await hostileEnd
            #expect(ends.elements == ["sound", "\(SimpleNetworkingError.Timeout.attempt(20))"])
        }

        @Test
        func aServerThatRequestsHandshakesWithoutEndDelaysNoOtherRequestAndNoTimeout() async throws {
            let hostile = try RecordServer(script: RecordServer.requestsHandshakes, [])
            let server = try RawServer { _ in .response(body: "sound") }
            let transport = try curl()
            async let hostileEnd = transport.end(of: hostile.url) { $0.timeout = 20 }
            await hostile.waitForOutput()
            for _ in 0..<50 { #expect(try await transport.get(server.url()).text == "sound") }
            let end = await hostileEnd
            #expect(end == NetworkFailure.Kind.tls.rawValue)
        }

        /// The server's session tickets, which are records without content, come with its response.
        @Test
        func aResponseArrivesThatAProxyPutIntoOneRecordWithOthers() async throws {
            let port = try Socket.freePort()
            let folder = certificates.folder.path
            let server = try ChildProcess(
                "/usr/bin/env",
                ["openssl", "s_server", "-quiet", "-www", "-accept", "127.0.0.1:\(port)"]
                    + ["-cert", "\(folder)/server.pem", "-key", "\(folder)/server.key"]
            )
            defer { server.kill() }
            Socket.waitForListener(on: port)
            let arguments = [folder, "\(port)"]
            let proxy = try RecordServer(script: RecordServer.gathersRecords, arguments)
            let transport = try curl {
                $0.caFile = certificates.ca
                $0.proxy = CurlConfiguration.Proxy(proxy.url)
            }
            let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
            #expect(await transport.end(of: url) { $0.timeout = 20 } == "200")
        }
    }

    private let readsOneRecord = CurlTransport.libraryVersion?.compare("8.15", options: .numeric) == .orderedAscending

    /// A program in Python that serves TLS on the port that is its first argument.
    private final class RecordServer: Sendable {
        private let process: ChildProcess
        private let port: UInt16

        static var isAvailable: Bool { (try? ChildProcess.output(of: "python3 -c '\(loadOpenSSL)'")) != nil }

        private static let loadOpenSSL = "import ctypes, socket, sys; ssl = ctypes.CDLL(\"libssl.so.3\")"

        /// Responds with updates of its keys (RFC 8446 §4.6.3), without end; prints a line when they begin.
        static let updatesKeys = """
            \(loadOpenSSL)
            for name in ("TLS_server_method", "SSL_CTX_new", "SSL_new"): getattr(ssl, name).restype = ctypes.c_void_p
            context = ctypes.c_void_p(ssl.SSL_CTX_new(ctypes.c_void_p(ssl.TLS_server_method())))
            ssl.SSL_CTX_use_certificate_file(context, (sys.argv[2] + "/server.pem").encode(), 1)
            ssl.SSL_CTX_use_PrivateKey_file(context, (sys.argv[2] + "/server.key").encode(), 1)
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            while True:
                peer, _ = listener.accept()
                stream = ctypes.c_void_p(ssl.SSL_new(context))
                ssl.SSL_set_fd(stream, peer.fileno())
                if ssl.SSL_accept(stream) != 1: continue
                ssl.SSL_read(stream, ctypes.create_string_buffer(4096), 4096)
                print("flood", flush=True)
                while ssl.SSL_key_update(stream, 0) == 1 and ssl.SSL_do_handshake(stream) == 1: pass
            """

        /// Answers the start of a handshake with requests for one (RFC 5246 §7.4.1.1), without end.
        static let requestsHandshakes = """
            import socket, sys
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            while True:
                peer, _ = listener.accept()
                if not peer.recv(65536): continue
                print("flood", flush=True)
                try:
                    while True: peer.sendall(bytes([22, 3, 3, 0, 1, 0]) * 50000)
                except OSError: pass
            """

        /// An https proxy that sends what the server has sent once that sends no more.
        static let gathersRecords = """
            import select, socket, ssl, sys
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2] + "/server.pem", sys.argv[2] + "/server.key")
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            def serve(client):
                head = b""
                while not head.endswith(b"\\r\\n\\r\\n"): head += client.recv(1)
                server = socket.create_connection(("127.0.0.1", int(sys.argv[3])))
                client.sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\n")
                gathered = b""
                peers = [client, server]
                while True:
                    ready = [client] if client.pending() else select.select(peers, [], [], 0.1)[0]
                    if client in ready: server.sendall(client.recv(65536))
                    if server in ready:
                        count = len(gathered)
                        gathered += server.recv(65536)
                        if len(gathered) == count: peers = [client]
                    if not ready and gathered:
                        client.sendall(gathered)
                        gathered = b""
            while True:
                peer, _ = listener.accept()
                try: serve(context.wrap_socket(peer, server_side=True))
                except OSError: pass
            """

        init(script: String, _ arguments: [String]) throws {
            port = try Socket.freePort()
            process = try ChildProcess("/usr/bin/env", ["python3", "-c", script, "\(port)"] + arguments)
            Socket.waitForListener(on: port)
        }

        deinit { process.kill() }

        var url: URL { URL(string: "https://127.0.0.1:\(port)/") ?? URL(fileURLWithPath: "/") }

        /// On a thread of its own: the few that tasks share are for the requests.
        func waitForOutput() async {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [process] in
                    _ = process.output.availableData
                    continuation.resume()
                }
            }
        }
    }
#endif
