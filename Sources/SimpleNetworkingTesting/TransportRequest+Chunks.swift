import Foundation
import SimpleNetworkingCore

extension TransportRequest {
    /// Reads a body that is created piece by piece, as a server does.
    ///
    /// Returns any other request unchanged.
    func collectingChunks() async throws -> TransportRequest {
        guard case .chunks(_, let chunks) = body else { return self }
        var content = Data()
        for try await chunk in chunks { content += chunk }
        var request = self
        request.body = .data(content)
        return request
    }
}

extension BodyChunks {
    /// The whole content; nil if only an asynchronous sequence has it, or if it can't be read.
    var wholeContent: Data? { collect.flatMap { try? $0() } }
}
