import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

extension SecondRequest.Cause {
    /// The request that is sent twice.
    func request(_ method: HTTPMethod, on client: SimpleNetworking, to file: URL) -> SimpleRequest {
        let request = SimpleRequest(method, path: "/way")
        switch self {
        case .retryPolicy, .stream, .cache: request.retry(RetryPolicy(attempts: 3, backoff: .constant(0)))
        case .download: request.retry(RetryPolicy(attempts: 3, backoff: .constant(0))).download(to: file)
        case .upload: request.retry(.withoutDelay).body(data: .film, contentType: .text).resumesUpload()
        case .page: request.on(page: .linkHeader(), of: Int.self) { _ in true }
        case .statusHandler:
            request.on(httpStatus: 409) { request, _ in
                request.retry()
                return false
            }
        case .reauthentication:
            request.on(httpStatus: 401) { [unowned client] request, _ in
                client.reauthenticate(request) { $0() }
                return false
            }
        case .refresh, .redirect, .middleware, .eventStream, .hedge: break
        }
        return request
    }

    /// The response because of which a second request is sent.
    var first: StubResponse {
        switch self {
        case .retryPolicy, .stream, .cache: .status(503)
        case .statusHandler: .status(409)
        case .refresh, .reauthentication: .status(401)
        case .redirect: .redirect(to: "/way/2", status: 307)
        case .middleware, .hedge: .json("{}")
        case .download: .json("{}", headers: ["ETag": #""1""#]).cut(after: 1)
        case .eventStream: .pieces("retry: 0\nid: 1\ndata: a\n\n", type: "text/event-stream")
        case .upload: .cut(offering: "/way/7")
        case .page: .json("[1]", headers: ["Link": #"</way?page=2>; rel="next""#])
        }
    }

    /// The response with which the caller is content.
    func last(for request: TransportRequest) -> StubResponse {
        switch self {
        case .download where request.headers["Range"] != nil:
            .json("}", status: 206, headers: ["ETag": #""1""#, "Content-Range": "bytes 1-1/2"])
        case .eventStream: .status(204)
        case .upload: .json("{}", status: 201)
        case .page: .json("[2]")
        case .cache where request.headers["If-None-Match"] != nil: .status(304)
        default: .json("{}")
        }
    }
}
