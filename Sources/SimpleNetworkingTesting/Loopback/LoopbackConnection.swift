import Foundation
import SimpleNetworkingCore

/// Reads requests from one connection and sends the stub's responses, on the thread that calls `run`.
struct LoopbackConnection {
    private let socket: Int32
    private let core: LoopbackCore
    private var buffer = Data()

    init(socket: Int32, core: LoopbackCore) {
        self.socket = socket
        self.core = core
    }

    mutating func run() {
        while let (request, isOld) = readRequest() {
            let exchange = LoopbackExchange(request: request, isOld: isOld, socket: socket, core: core)
            guard exchange.run() else { return }
        }
    }

    // MARK: Reading

    /// Reads a request with its body, and whether it is HTTP/1.0.
    ///
    /// Returns nil when the client closes the connection or sends invalid HTTP.
    private mutating func readRequest() -> (TransportRequest, isOld: Bool)? {
        guard let bytes = read(upTo: Data("\r\n\r\n".utf8)) else { return nil }
        var lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines.removeFirst().components(separatedBy: " ")
        guard words.count == 3, words[1].hasPrefix("/"), let url = URL(string: core.url.absoluteString + words[1])
        else {
            _ = LoopbackSocket.send(Data("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8), to: socket)
            LoopbackSocket.finish(socket)
            return nil
        }
        var headers: HTTPHeaders = [:]
        for line in lines {
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { headers.append(String(pair[0]), pair[1].trimmingCharacters(in: .whitespaces)) }
        }
        if headers["Expect"]?.lowercased() == "100-continue" {
            guard LoopbackSocket.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: socket) else { return nil }
        }
        guard let body = readBody(headers) else { return nil }
        let head = RequestHead(method: HTTPMethod(rawValue: words[0]), url: url, headers: headers)
        return (TransportRequest(head: head, body: body.isEmpty ? .none : .data(body)), words[2] == "HTTP/1.0")
    }

    private mutating func readBody(_ headers: HTTPHeaders) -> Data? {
        if headers["Transfer-Encoding"]?.lowercased().contains("chunked") == true { return readChunks() }
        guard let length = headers["Content-Length"].flatMap({ Int($0) }) else { return Data() }
        return read(length)
    }

    private mutating func readChunks() -> Data? {
        let lineEnd = Data("\r\n".utf8)
        var body = Data()
        while let line = read(upTo: lineEnd) {
            let digits = String(decoding: line, as: UTF8.self).prefix { $0 != ";" }
            guard let size = Int(digits, radix: 16), size >= 0 else { return nil }
            if size == 0 {
                // Trailers end with an empty line.
                while let trailer = read(upTo: lineEnd), !trailer.isEmpty {}
                return body
            }
            guard let chunk = read(size), read(2) != nil else { return nil }
            body += chunk
        }
        return nil
    }

    /// Reads up to a mark, and discards the mark.
    private mutating func read(upTo mark: Data) -> Data? {
        while true {
            if let found = buffer.range(of: mark) {
                defer { buffer = Data(buffer[found.upperBound...]) }
                return Data(buffer[..<found.lowerBound])
            }
            guard buffer.count < 1 << 20, let more = LoopbackSocket.receive(from: socket) else { return nil }
            buffer += more
        }
    }

    private mutating func read(_ count: Int) -> Data? {
        guard count >= 0 else { return nil }
        while buffer.count < count {
            guard let more = LoopbackSocket.receive(from: socket) else { return nil }
            buffer += more
        }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }
}
