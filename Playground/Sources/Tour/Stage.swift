import DemoServer
import Foundation
import SimpleNetworking

/// Gives a scene what it needs: a server to ask, a voice, and a way to wait for a request's end.
public struct Stage: Sendable {
    /// The server to ask.
    let server: DemoServer
    /// Says what happens, with the time and the place of the call.
    let show: Voice

    /// Makes a client for the server.
    func client<Client: SimpleNetworking>(_ make: (URL) -> Client = { SimpleNetworking(baseURL: $0) }) -> Client {
        let client = make(server.baseURL)
        Place.name(callbackQueueOf: client)
        return client
    }

    /// Returns when a request's handlers have all run, or when the task is cancelled.
    ///
    /// - Returns: The request's trace, without the handler that this adds.
    @discardableResult
    func end(of request: SimpleRequest) async -> RequestTrace {
        let (traces, ended) = AsyncStream<RequestTrace>.makeStream()
        request.on(
            isolation: nil,
            completion: { [weak request] _ in
                if let trace = request?.trace { ended.yield(trace) }
                ended.finish()
            }
        )
        for await trace in traces { return trace }
        return request.trace
    }
}
