import DemoServer
import Foundation
import SimpleNetworking

/// Provides a scene with a server, a voice, and a way to wait for a request's end.
public struct Stage: Sendable {
    /// The server.
    let server: DemoServer
    /// Prints a line with the time and the place of the call.
    let show: Voice

    /// Makes a client for the server.
    func client<Client: SimpleNetworking>(_ make: (URL) -> Client = { SimpleNetworking(baseURL: $0) }) -> Client {
        let client = make(server.baseURL)
        Place.name(callbackQueueOf: client)
        return client
    }

    /// Returns when a request's handlers have all run, or when the task is cancelled.
    func end(of request: SimpleRequest) async {
        let (ends, ended) = AsyncStream<Void>.makeStream()
        request.on(isolation: nil, completion: { _ in ended.finish() })
        for await _ in ends {}
    }

    /// Shows a request's trace, apart from the handler that `end(of:)` has added.
    func showTrace(of request: SimpleRequest) {
        let events = request.trace.events.filter { event in
            if case .handler(let run) = event.kind { run.fileID != #fileID } else { true }
        }
        show.quote(([request.trace.request] + events.map(\.description)).joined(separator: "\n"))
    }
}
