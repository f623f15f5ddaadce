import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Takes resumable uploads of a known content over TCP on 127.0.0.1, and cuts connections at random places.
///
/// It keeps no content, but compares each byte with what it has to be.
package final class UploadServer: Sendable {
    /// How the server behaves.
    package struct Rules: Sendable {
        /// The interop version of the draft.
        package var version = 6
        /// The number of bytes of each upload.
        package var length: Int
        /// The seed of the places where connections are cut; nil for none.
        package var seed: UInt64?
        /// Whether the first response to an upload is a 503 that names its URL, rather than an interim response.
        package var refusesFirst = false

        package init(length: Int, seed: UInt64? = nil) {
            self.length = length
            self.seed = seed
        }
    }

    /// What the server knows of one upload.
    package struct Upload: Sendable {
        package var received = 0
        /// How often all of it had arrived.
        package var completions = 0
        package var isIntact = true
    }

    package struct Log: Sendable {
        package var uploads: [Upload] = []
        package var cuts = 0
    }

    package let port: UInt16
    private let core: Core

    package init(_ rules: Rules) throws {
        let (listener, port) = try Socket.listening()
        self.port = port
        core = Core(rules)
        Thread.detachNewThread { [core] in core.accept(from: listener) }
    }

    deinit { core.stop() }

    package var log: Log { core.state.withLock(\.log) }

    package var url: URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)/") else { preconditionFailure("no URL") }
        return url
    }

    /// Returns the content of each upload: no part of it looks like another one nearby.
    package static func content(_ length: Int) -> Data { Data((0..<length).map(byte)) }

    static func byte(_ offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: (offset &* 2_654_435_761) >> 13) }
}

extension UploadServer {
    final class Core: Sendable {
        struct State {
            var log = Log()
            var random: UInt64
            var sockets: Set<Int32> = []
            var isStopped = false
        }

        let rules: Rules
        let content: Data
        let state: Locked<State>

        init(_ rules: Rules) {
            self.rules = rules
            content = UploadServer.content(rules.length)
            state = Locked(State(random: rules.seed ?? 0))
        }

        func accept(from listener: Int32) {
            defer { Socket.close(listener) }
            while !state.withLock(\.isStopped) {
                guard Socket.isReadable(listener, within: 0.05), let socket = Socket.accepted(from: listener) else {
                    continue
                }
                state.withLock { _ = $0.sockets.insert(socket) }
                let thread = Thread {
                    UploadConnection(socket: socket, core: self).run()
                    self.state.withLock { _ = $0.sockets.remove(socket) }
                    Socket.close(socket)
                }
                thread.stackSize = 512 << 10
                thread.start()
            }
        }

        func stop() {
            state.withLock { state in
                state.isStopped = true
                state.sockets.forEach(Socket.shutDown)
            }
        }

        /// Returns after how many bytes the next request's content is cut; nil for not at all.
        ///
        /// Three of four are cut, one of them only after the last byte. Before the first byte of an upload, the client
        /// may not have read the interim response, which a cut connection then loses.
        func nextCut(within count: Int) -> Int? {
            guard rules.seed != nil, count > 0 else { return nil }
            return state.withLock { state in
                // xorshift64*, which needs no more than its state.
                state.random ^= state.random >> 12
                state.random ^= state.random << 25
                state.random ^= state.random >> 27
                let number = (state.random &* 2_685_821_657_736_338_717) >> 16
                guard number % 4 != 0 else { return nil }
                state.log.cuts += 1
                return number % 4 == 1 ? count : 1 + Int(number / 4 % UInt64(count))
            }
        }

        func begin() -> Int {
            state.withLock { state in
                state.log.uploads.append(Upload())
                return state.log.uploads.count - 1
            }
        }

        func upload(_ number: Int) -> Upload? {
            state.withLock { $0.log.uploads.indices.contains(number) ? $0.log.uploads[number] : nil }
        }

        /// Takes over bytes of an upload, and compares them.
        func take(_ bytes: Data, for number: Int) {
            state.withLock { state in
                let start = state.log.uploads[number].received
                let isIntact = content.dropFirst(start).prefix(bytes.count) == bytes
                state.log.uploads[number].isIntact = state.log.uploads[number].isIntact && isIntact
                state.log.uploads[number].received += bytes.count
                if start < rules.length, start + bytes.count == rules.length {
                    state.log.uploads[number].completions += 1
                }
            }
        }
    }
}
