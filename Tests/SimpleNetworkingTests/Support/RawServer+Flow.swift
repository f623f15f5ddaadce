import Foundation
import SimpleNetworkingTesting

@testable import SimpleNetworking

extension RawServer {
    /// Tells how far content came that a client may be slow to take.
    final class Flow: Sendable {
        enum Sight: Sendable {
            /// Nobody has taken anything for two seconds.
            case stalled
            /// All of it was taken, by the system at least.
            case sent
        }

        private let first = Locked<Sight?>(nil)
        private let gate = Gate()

        func see(_ sight: Sight) {
            first.withLock { $0 = $0 ?? sight }
            gate.open()
        }

        /// Waits for what was seen first.
        func sight() async throws -> Sight? {
            try await gate.wait()
            return first.withLock { $0 }
        }
    }
}

extension RawServer.Reply {
    /// An ordinary answer whose content is watched on its way.
    static func watched(_ data: Data, by flow: RawServer.Flow) -> Self {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(data.count)\r\n\r\n".utf8)
        return Self([.send(head), .pour(data, flow)])
    }

    /// Sends bytes as one chunk, with a field that tells what they are.
    static func chunked(_ data: Data, field: String) -> Self {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(field)\r\n\r\n"
        let size = String(data.count, radix: 16)
        return Self([.send(Data("\(head)\(size)\r\n".utf8) + data + Data("\r\n0\r\n\r\n".utf8))])
    }
}
