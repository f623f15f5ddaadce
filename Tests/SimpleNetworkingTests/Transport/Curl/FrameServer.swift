#if canImport(CLibcurl) && os(Linux)
    import Foundation
    @testable import SimpleNetworkingCore

    /// Responds over TLS with frames of HTTP/2 (RFC 9113 §4.1) that a test chooses.
    final class FrameServer: Sendable {
        /// A request whose fields have arrived.
        struct Request: Sendable {
            /// The number of its connection, and how many requests have arrived before it, on all and on its own.
            let connection: Int, earlier: Int, earlierHere: Int
            let stream: UInt8
        }

        enum Step: Sendable {
            case send(Data)
            /// Sends the same again and again, until the client has ended the connection.
            case flood(Data)
            /// Waits until the latch is opened.
            case hold(RawServer.Latch)
            /// Announces the end of TLS, and ends the connection.
            case end
            /// Ends the connection without a word.
            case cut
            case reset
        }

        private let server: TLSServer
        private let arrived: Recorder<Request>

        /// Starts a server that answers each request when its fields have arrived; the folder has its `server.pem` and
        /// `server.key`.
        init(
            certificateIn folder: URL,
            demandsCertificate: Bool = false,
            answer: @escaping @Sendable (Request) -> [Step]
        ) throws {
            let arrived = Recorder<Request>()
            self.arrived = arrived
            server = try TLSServer(certificateIn: folder, demandsCertificate: demandsCertificate) {
                connection,
                number in
                var reader = FrameReader(client: connection)
                guard reader.takePreface(), connection.send(Frame.settings) else { return }
                for here in 0... {
                    guard let stream = reader.takeFields() else { return }
                    let earlier = arrived.elements.count
                    let request = Request(connection: number, earlier: earlier, earlierHere: here, stream: stream)
                    arrived.add(request)
                    for step in answer(request) where !connection.take(step) { return }
                }
            }
        }

        /// Starts a server that sends one of the responses for each request, on whichever connection, and ends those
        /// connections that ask for more.
        convenience init(certificateIn folder: URL, responses: [Data]) throws {
            try self.init(certificateIn: folder) { request in
                request.earlier < responses.count ? [.send(responses[request.earlier])] : [.end]
            }
        }

        var url: URL { URL(string: "https://127.0.0.1:\(server.port)/") ?? URL(fileURLWithPath: "/") }

        var requests: [Request] { arrived.elements }

        /// Waits until so many connections have ended on both sides.
        func waitForEnds(_ count: Int = 1) async {
            while server.ended < count { await Task.yield() }
        }
    }

    extension TLSConnection {
        /// Takes a step of an answer; false if the connection has ended.
        fileprivate func take(_ step: FrameServer.Step) -> Bool {
            switch step {
            case .send(let data): return send(data)
            case .hold(let latch):
                while !latch.isOpen { usleep(1000) }
                return true
            case .flood(let data):
                while send(data) {}
            case .end:
                announceEnd()
                finish()
            case .cut: finish()
            case .reset: reset()
            }
            return false
        }
    }

    /// Reads what a client sends on one connection.
    private struct FrameReader {
        let client: TLSConnection
        private var received = Data()

        init(client: TLSConnection) { self.client = client }

        /// RFC 9113 §3.4.
        mutating func takePreface() -> Bool { take(24) != nil }

        /// Waits for the fields of a request, and returns its stream; nil if none come.
        mutating func takeFields() -> UInt8? {
            while let start = take(9) {
                guard take(start.prefix(3).reduce(0) { $0 << 8 | Int($1) }) != nil else { return nil }
                if start[3] == Frame.headers { return start[8] }
            }
            return nil
        }

        private mutating func take(_ count: Int) -> Data? {
            while received.count < count {
                guard let more = client.receive() else { return nil }
                received += more
            }
            defer { received = Data(received.dropFirst(count)) }
            return Data(received.prefix(count))
        }
    }
#endif
