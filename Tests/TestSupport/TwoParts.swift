import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting

/// Delivers a part of a streamed response, and the rest when it is told to.
package struct TwoParts: Transport {
    package let isBegun = Gate()
    package let mayGoOn = Gate()

    package init() {}

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard case .stream(let receive) = request.sink else { throw Surprise("no stream") }
        try await receive(.head(status: 200, headers: [:]))
        try await receive(.content(Data("one ".utf8)))
        isBegun.open()
        try await mayGoOn.wait()
        try await receive(.content(Data("two".utf8)))
        return TransportResponse(httpStatus: 200)
    }
}
