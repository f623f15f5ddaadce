#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    func curl(_ change: (inout CurlConfiguration) -> Void = { _ in }) throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.proxy = CurlProxy.none
        change(&configuration)
        return try #require(CurlTransport(configuration: configuration), "libcurl 7.68 or newer is needed")
    }

    extension CurlTransport {
        func get(
            _ url: URL,
            method: HTTPMethod = .get,
            headers: HTTPHeaders = [:],
            body: RequestBody = .none,
            _ change: (inout TransportRequest) -> Void = { _ in }
        ) async throws -> TransportResponse {
            let head = RequestHead(method: method, url: url, headers: headers)
            var request = TransportRequest(head: head, body: body, timeout: 20)
            change(&request)
            return try await send(request)
        }

        /// The name of what a request ends with: a status, or the kind or case of an error.
        func end(of url: URL, _ change: (inout TransportRequest) -> Void = { _ in }) async -> String {
            do { return try await "\(get(url, change).status)" } catch { return CurlTesting.name(of: error) }
        }

        fileprivate func get(_ url: URL, _ change: (inout TransportRequest) -> Void) async throws -> TransportResponse {
            try await get(url, method: .get, change)
        }
    }

    enum CurlTesting {
        static func name(of error: any Error) -> String {
            switch error {
            case is CancellationError: "cancelled"
            case let failure as NetworkFailure: failure.kind.rawValue
            case SimpleNetworkingError.tooLarge: "tooLarge"
            case SimpleNetworkingError.invalidURL: "invalidURL"
            case SimpleNetworkingError.invalidRequest: "invalidRequest"
            case SimpleNetworkingError.timedOut(let timeout, _): "\(timeout)"
            default: "\(error)"
            }
        }

        /// A place for a file that does not exist yet.
        static func file(_ content: Data? = nil) throws -> URL {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try content?.write(to: url)
            return url
        }
    }

    extension TransportResponse {
        var text: String { String(decoding: body, as: UTF8.self) }
        /// What `RawServer.Reply.echo` tells.
        var echo: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }
        var echoedHeaders: [String] { echo["headers"] as? [String] ?? [] }
    }
#endif
