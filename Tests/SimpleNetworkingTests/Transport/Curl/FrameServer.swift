#if canImport(CLibcurl) && os(Linux)
    import Foundation

    @testable import SimpleNetworking

    /// Responds over TLS with frames of HTTP/2 (RFC 9113 §4.1) that a test chooses; openssl encrypts them.
    final class FrameServer: Sendable {
        let port: UInt16
        private let process: ChildProcess

        /// Starts a server that sends one of the responses whenever the fields of a request have arrived, on whichever
        /// connection; the folder has its `server.pem` and `server.key`.
        init(certificateIn folder: URL, responses: [Data]) throws {
            port = try Socket.freePort()
            let path = folder.path
            process = try ChildProcess(
                "/usr/bin/env",
                ["openssl", "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-alpn", "h2"]
                    + ["-cert", "\(path)/server.pem", "-key", "\(path)/server.key"]
            )
            Socket.waitForListener(on: port)
            let process = process
            Thread.detachNewThread {
                var reader = FrameReader(client: process.output)
                for response in responses {
                    guard let isFirst = reader.takeFields() else { break }
                    try? process.input.write(contentsOf: (isFirst ? Frame.settings : Data()) + response)
                }
                while !process.output.availableData.isEmpty {}
                process.wait()
            }
        }

        deinit { process.kill() }

        var url: URL { URL(string: "https://127.0.0.1:\(port)/") ?? URL(fileURLWithPath: "/") }
    }

    /// Reads what clients send, one connection after the other.
    private struct FrameReader {
        let client: FileHandle
        private var received = Data()

        init(client: FileHandle) { self.client = client }

        /// Waits for the fields of a request; returns whether they are the first of a connection, and nil if none come.
        mutating func takeFields() -> Bool? {
            var isFirst = false
            while let start = take(9) {
                if start.starts(with: Data("PRI ".utf8)) {
                    // The rest of a connection's preface, which is 24 bytes long (RFC 9113 §3.4).
                    guard take(15) != nil else { return nil }
                    isFirst = true
                    continue
                }
                guard take(start.prefix(3).reduce(0) { $0 << 8 | Int($1) }) != nil else { return nil }
                if start[3] == Frame.headers { return isFirst }
            }
            return nil
        }

        private mutating func take(_ count: Int) -> Data? {
            while received.count < count {
                let more = client.availableData
                if more.isEmpty { return nil }
                received += more
            }
            defer { received = Data(received.dropFirst(count)) }
            return Data(received.prefix(count))
        }
    }

    /// Makes frames.
    enum Frame {
        static let headers: UInt8 = 1
        static let settings = frame(4, stream: 0)
        /// A response with the status 200 and two bytes of content.
        static let response =
            frame(headers, flags: 4, [0x88, 0x0F, 0x0D, 1, 0x32]) + frame(0, flags: 1, Array("ok".utf8))
        /// A response with two of five bytes.
        static let short = frame(headers, flags: 4, [0x88, 0x0F, 0x0D, 1, 0x35]) + frame(0, Array("ok".utf8))

        /// Says that streams behind this one were not processed.
        static func goAway(after last: UInt8 = 0) -> Data { frame(7, stream: 0, [0, 0, 0, last, 0, 0, 0, 0]) }

        static func reset(_ error: UInt8, stream: UInt8 = 1) -> Data { frame(3, stream: stream, [0, 0, 0, error]) }

        private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 1, _ bytes: [UInt8] = []) -> Data {
            Data([0, 0, UInt8(bytes.count), type, flags, 0, 0, 0, stream] + bytes)
        }
    }
#endif
