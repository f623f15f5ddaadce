#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    func curl(_ change: (inout CurlConfiguration) -> Void = { _ in }) throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.proxy = CurlProxy.none
        change(&configuration)
        return try #require(CurlTransport(configuration: configuration), "libcurl 7.68 or newer is needed")
    }
#endif
