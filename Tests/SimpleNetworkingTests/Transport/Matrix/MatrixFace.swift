import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import SimpleNetworkingTransfers

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// A way to send a request, and to learn what has come of it.
enum MatrixFace: String, CaseIterable, Sendable {
    case handlers, awaited, typed, upload, download, bytes, events, pages

    /// What came of a request: how often it ended, and with which error; an empty one for none.
    struct End: Sendable, Equatable {
        var count = 0
        var error = ""

        /// The error's name, and a network failure's kind.
        static func error(_ error: any Error) -> String {
            guard case SimpleNetworkingError.networkingError(let failure, _) = error else { return name(of: error) }
            return name(of: error) + ": " + failure.kind.rawValue
        }
    }

    /// Sends a request, and returns when it has ended.
    func send(on client: SimpleNetworking, folder: URL) async -> End {
        if self == .handlers { return await executed(on: client) }
        // These return or throw once, by the language's own rules.
        do {
            try await awaited(on: client, folder: folder)
            return End(count: 1)
        } catch {
            return End(count: 1, error: End.error(error))
        }
    }

    private func awaited(on client: SimpleNetworking, folder: URL) async throws {
        let request = SimpleNetworking.get("/")
        switch self {
        case .handlers: break
        case .awaited: _ = try await client.send(request)
        case .typed: _ = try await client.send(Request<[String]>.get("/"))
        case .upload:
            let upload = SimpleNetworking.put("/").body(streamOfLength: nil, contentType: .octetStream) {
                InputStream(data: Data(repeating: 0x61, count: 2_000))
            }
            _ = try await client.send(upload)
        case .download: try await client.download(for: request, to: folder.appendingPathComponent("file"))
        case .bytes:
            var count = 0
            for try await piece in client.bytes(for: request) {
                count += piece.count
                if count > 4 << 20 { break }
            }
        case .events: for try await _ in client.events(for: request, idleTimeout: client.configuration.timeout) {}
        case .pages: for try await _ in client.pages(of: String.self, for: request, style: .links()) {}
        }
    }

    /// Counts the ends that handlers are told of, late ones too.
    private func executed(on client: SimpleNetworking) async -> End {
        let (errors, completions) = (Recorder<String>(), Recorder<String>())
        let request = client.get("/") {
            $0.on(isolation: nil, error: { error in errors.add(End.error(error)) })
                .on(isolation: nil, success: { _ in errors.add("") })
                .on(isolation: nil, completion: { completions.add($0.error.map(End.error) ?? "") })
        }
        await request.ended()
        await request.ended()
        guard errors.elements == completions.elements else { return End(count: -1, error: "\(errors.elements)") }
        return End(count: completions.elements.count, error: completions.elements.last ?? "")
    }
}
