#if canImport(CLibcurl) && os(Linux)
    import Foundation

    @testable import SimpleNetworking

    /// Responds over TLS with frames of HTTP/2 (RFC 9113 §4.1) that a test chooses; openssl encrypts them.
    final class FrameServer: Sendable {
        let port: UInt16
        private let process: ChildProcess

        /// Starts a server that sends `response` once the fields of the first request have arrived; the folder has its
        /// `server.pem` and `server.key`.
        init(certificateIn folder: URL, response: Data) throws {
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
                guard Self.takeFields(from: process.output) else { return }
                try? process.input.write(contentsOf: Frame.settings + response)
                while !process.output.availableData.isEmpty {}
                process.wait()
            }
        }

        deinit { process.kill() }

        var url: URL { URL(string: "https://127.0.0.1:\(port)/") ?? URL(fileURLWithPath: "/") }

        /// Waits for the fields of a request; returns false if they do not come.
        private static func takeFields(from client: FileHandle) -> Bool {
            var received = Data()
            // The client's preface, then its frames.
            var next = 24
            while true {
                while received.count >= next + 9 {
                    if received[next + 3] == Frame.headers { return true }
                    next += 9 + received[next..<(next + 3)].reduce(0) { $0 << 8 | Int($1) }
                }
                let more = client.availableData
                if more.isEmpty { return false }
                received += more
            }
        }
    }

    /// Makes frames.
    enum Frame {
        static let headers: UInt8 = 1
        static let settings = frame(4, stream: 0)
        /// A response with the status 200 and two bytes of content.
        static let response =
            frame(headers, flags: 4, [0x88, 0x0F, 0x0D, 1, 0x32]) + frame(0, flags: 1, Array("ok".utf8))
        /// Says that no stream was processed.
        static let goAway = frame(7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0])

        static func reset(_ error: UInt8) -> Data { frame(3, [0, 0, 0, error]) }

        private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 1, _ bytes: [UInt8] = []) -> Data {
            Data([0, 0, UInt8(bytes.count), type, flags, 0, 0, 0, stream] + bytes)
        }
    }
#endif
