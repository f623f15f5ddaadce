#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    func curl(_ change: (inout CurlConfiguration) -> Void = { _ in }) throws -> CurlTransport {
        var configuration = CurlConfiguration()
        change(&configuration)
        return try #require(CurlTransport(configuration: configuration), "libcurl 7.68 or newer is needed")
    }

    extension CurlTransport {
        func get(_ url: URL) async throws -> TransportResponse {
            try await send(TransportRequest(head: RequestHead(url: url)))
        }
    }
#endif
