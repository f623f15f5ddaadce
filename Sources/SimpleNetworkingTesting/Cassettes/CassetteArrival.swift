import Foundation
import SimpleNetworkingCore

/// What has arrived of a response while it is recorded.
struct CassetteArrival: Sendable {
    private(set) var interims: [CassetteResponse] = []
    var response: CassetteResponse?

    mutating func note(_ part: ResponsePart) {
        switch part {
        case .head(let status, let headers): response = CassetteResponse(status: status, headers: headers)
        case .content(let bytes): response?.content += bytes
        }
    }

    mutating func note(_ event: RequestEvent.Kind) {
        guard case .interim(let status, let headers) = event else { return }
        interims.append(CassetteResponse(status: status, headers: headers))
    }
}
