import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport
import SimpleNetworkingTesting

extension RawServer {
    /// Tells how much of the content a slow client has taken.
    package final class Flow: Sendable {
        package enum Sight: Sendable {
            /// The client has taken nothing for two seconds.
            case stalled
            /// The system at least has taken all of it.
            case sent
        }

        private let first = Locked<Sight?>(nil)
        private let gate = Gate()
        private let isSent = Gate()

        package init() {}

        package func see(_ sight: Sight) {
            first.withLock { $0 = $0 ?? sight }
            gate.open()
            if sight == .sent { isSent.open() }
        }

        /// Waits for the first sight.
        package func sight() async throws -> Sight? {
            try await gate.wait()
            return first.withLock { $0 }
        }

        /// Waits until the system at least has taken all of it, however long a busy machine takes for that.
        package func end() async throws { try await isSent.wait() }
    }
}

extension RawServer.Reply {
    /// Sends an ordinary response and watches how its content is taken.
    package static func watched(_ data: Data, by flow: RawServer.Flow) -> Self {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(data.count)\r\n\r\n".utf8)
        return Self([.send(head), .pour(data, flow)])
    }

    /// Sends bytes as one chunk, with a field that describes them.
    package static func chunked(_ data: Data, field: String) -> Self {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(field)\r\n\r\n"
        let size = String(data.count, radix: 16)
        return Self([.send(Data("\(head)\(size)\r\n".utf8) + data + Data("\r\n0\r\n\r\n".utf8))])
    }
}
