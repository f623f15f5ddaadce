import SimpleNetworkingPagination
import SimpleNetworkingTransfers

/// A way to send a request: one of the library's faces, with what users do with what comes of it.
enum Face: Int, CaseIterable {
    case handlers, retrying, awaited, typed, post, upload, bytes, lines, events, download, pages, cancelled

    struct Item: Codable, Sendable { var id: Int? }

    /// Sends one request, and returns when it has ended.
    func send(_ path: String, number: Int, _ client: SimpleNetworking, folder: URL, _ ledger: Ledger) async {
        do {
            switch self {
            case .handlers, .retrying, .cancelled: await executed(path, number: number, client, ledger)
            case .awaited: Self.read(try await client.send(SimpleNetworking.get(path)))
            case .typed: _ = try await client.send(Request<[Item]>.get(path))
            case .post: _ = try await client.send(SimpleNetworking.post(path).body(json: ["name": "Ada"]))
            case .upload:
                let upload = SimpleNetworking.put(path).body(streamOfLength: nil, contentType: .octetStream) {
                    InputStream(data: Data(repeating: 0x61, count: 2_000))
                }
                _ = try await client.send(upload)
            case .bytes:
                for try await piece in client.bytes(for: SimpleNetworking.get(path)) where piece.isEmpty { break }
            case .lines:
                for try await line in client.lines(for: SimpleNetworking.get(path)) where line.isEmpty { break }
            case .events:
                for try await event in client.events(for: SimpleNetworking.get(path)) where event.data.isEmpty { break }
            case .download:
                let file = folder.appendingPathComponent("\(number)")
                do {
                    try await client.download(for: SimpleNetworking.get(path), to: file)
                } catch SimpleNetworkingError.timedOut {
                    // The limit may pass when the file is there already.
                    try? FileManager.default.removeItem(at: file)
                    return ledger.recordEnd(of: number)
                }
                try FileManager.default.removeItem(at: file)
            case .pages:
                let request = SimpleNetworking.get(path)
                for try await _ in client.pages(of: Item.self, for: request, style: .links(), limit: .pages(3)) {}
            }
        } catch {
            _ = "\(error)" + error.localizedDescription
        }
        // These return or throw once, by the language's own rules.
        if ![.handlers, .retrying, .cancelled].contains(self) { ledger.recordEnd(of: number) }
    }

    private func executed(_ path: String, number: Int, _ client: SimpleNetworking, _ ledger: Ledger) async {
        let request = SimpleNetworking.request(self == .retrying ? .head : .get, path: path)
            .on(
                httpStatus: 401,
                { request, _ in
                    request.retry()
                    return false
                }
            )
            .on(httpStatus: 404, { _, response in response.data.isEmpty })
            .on(success: { response in Self.read(response) })
            .on(error: { error, response in
                _ = "\(error)"
                if let response { Self.read(response) }
            })
        await ledger.wait(for: number) { end in
            request.on(isolation: nil, completion: { _ in end() })
            request.execute(on: client)
            if self == .cancelled { request.cancel() }
        }
        _ = "\(request.trace)" + request.description
    }

    /// Everything that a user may look at in a response.
    static func read(_ response: SimpleResponse) {
        _ = response.text
        _ = response.jsonObject
        _ = response.link("next")
        _ = response.httpResponse
        _ = "\(response)\(response.headers)\(response.metrics)"
        _ = response.error?.localizedDescription
    }
}
