#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import SimpleNetworkingTestSupport
    import Testing

    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, content that was read for an earlier try", .timeLimit(.minutes(5)))
    struct CurlOldSupplyTests {
        /// Gives one piece for each element, and then the end.
        private final class Pieces: InputStream {
            private var pieces: ArraySlice<@Sendable () -> String>

            init(_ pieces: [@Sendable () -> String]) {
                self.pieces = pieces[...]
                super.init(data: Data())
            }

            override var hasBytesAvailable: Bool { !pieces.isEmpty }
            override var streamStatus: Stream.Status { pieces.isEmpty ? .atEnd : .open }
            override var streamError: (any Error)? { nil }
            override func open() {}
            override func close() {}

            override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
                guard let piece = pieces.popFirst() else { return 0 }
                let bytes = Array(piece().utf8)
                for (index, byte) in bytes.enumerated() { buffer[index] = byte }
                return bytes.count
            }
        }

        /// Breaks a kept connection in the midst of an upload, and takes the upload on the next connection.
        private final class BreakingServer: Sendable {
            let port: Int
            let isFirstPieceSent = DispatchSemaphore(value: 0)
            let hasSecondTryBegun = DispatchSemaphore(value: 0)
            let upload = Recorder<String>()

            init() throws {
                let (listener, port) = try Socket.listening()
                self.port = Int(port)
                Thread.detachNewThread { [self] in
                    defer { Socket.close(listener) }
                    guard let kept = Socket.accepted(from: listener) else { return }
                    _ = Self.text(from: kept, until: "\r\n\r\n")
                    reply(to: kept)
                    _ = Self.text(from: kept, until: "first")
                    isFirstPieceSent.wait()
                    // libcurl overlooks a mere end while it waits for content.
                    Socket.resetOnClose(kept)
                    Socket.close(kept)
                    guard let fresh = Socket.accepted(from: listener) else { return }
                    let head = Self.text(from: fresh, until: "\r\n\r\n")
                    hasSecondTryBegun.signal()
                    let end = "0\r\n\r\n"
                    upload.add(head.hasSuffix(end) ? head : head + Self.text(from: fresh, until: end))
                    reply(to: fresh)
                    Socket.close(fresh)
                }
            }

            private func reply(to socket: Int32) {
                _ = Socket.send(Data("HTTP/1.1 204 No Content\r\n\r\n".utf8), to: socket)
            }

            private static func text(from socket: Int32, until mark: String) -> String {
                var text = ""
                while !text.contains(mark), let data = Socket.receive(from: socket) {
                    text += String(decoding: data, as: UTF8.self)
                }
                return text
            }
        }

        @Test
        func aPieceThatComesAfterTheUploadHasBegunAgainIsNotSent() async throws {
            let server = try BreakingServer()
            let other = try RawServer { _ in .response() }
            let transport = try curl()
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
            #expect(try await transport.get(url).httpStatus == 204)
            let tries = Locked(0)
            let body = RequestBody.stream(length: nil) {
                let number = tries.withLock { tries in
                    tries += 1
                    return tries
                }
                guard number == 1 else {
                    // When the engine has done this, it has taken whatever was supplied before.
                    return Pieces([
                        {
                            let hasResponse = DispatchSemaphore(value: 0)
                            Task {
                                _ = try? await transport.get(other.url())
                                hasResponse.signal()
                            }
                            hasResponse.wait()
                            return "again"
                        }
                    ])
                }
                return Pieces([
                    { "first" },
                    {
                        server.isFirstPieceSent.signal()
                        server.hasSecondTryBegun.wait()
                        return "stale"
                    },
                ])
            }
            let response = try await withinSeconds(120) { try await transport.get(url, method: .put, body: body) }
            #expect(response.httpStatus == 204)
            let upload = try #require(server.upload.elements.first)
            #expect(upload.contains("again") && !upload.contains("stale"), "\(upload)")
        }
    }
#endif
