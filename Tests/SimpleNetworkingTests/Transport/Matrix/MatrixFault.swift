import Foundation

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// A fault that the matrix plays to each face of the library with each engine.
struct MatrixFault: Sendable {
    enum Place: Sendable {
        /// A server that replies so.
        case reply(RawServer.Reply)
        /// A port on which nothing listens.
        case closedPort
        /// A host that does not exist.
        case unknownHost
        /// A server without TLS, asked for https.
        case plainServer
    }

    let name: String
    let place: Place
    /// The error of every face.
    let error: String
    /// The errors of faces that meet the fault in a way of their own.
    var exceptions: [MatrixFace: String] = [:]
    /// What an engine can't do, so that the fault ends with a timeout, or the process ends.
    var limitation: Limitation?

    init(_ name: String, _ reply: RawServer.Reply, _ error: String, _ exceptions: [MatrixFace: String] = [:]) {
        self.init(name, at: .reply(reply.asEventStream), error, exceptions)
    }

    init(_ name: String, at place: Place, _ error: String, _ exceptions: [MatrixFace: String] = [:]) {
        (self.name, self.place, self.error, self.exceptions) = (name, place, error, exceptions)
    }

    init(_ name: String, _ reply: RawServer.Reply, _ failure: NetworkFailure.Kind) {
        self.init(name, reply, "networkingError: " + failure.rawValue)
    }

    init(_ name: String, at place: Place, _ failure: NetworkFailure.Kind) {
        self.init(name, at: place, "networkingError: " + failure.rawValue)
    }

    func lacking(_ limitation: Limitation) -> MatrixFault {
        var fault = self
        fault.limitation = limitation
        return fault
    }

    /// The error that a face must end with.
    func expected(_ face: MatrixFace, _ engine: Engine) -> String {
        if limitation == .limitWhileReceiving, engine.lacks(.limitWhileReceiving) { return "timedOut" }
        // A caller's own session reports the head at the end, for which an event stream's timeout is too short.
        if face == .events, isSlow, engine.lacks(.pieces) { return error }
        return exceptions[face] ?? error
    }

    /// Whether the engine's process would not survive it.
    func endsTheProcess(_ engine: Engine) -> Bool { limitation == .cutHeaderBlocks && engine.lacks(.cutHeaderBlocks) }

    /// Whether the faces have to wait for each other.
    ///
    /// Foundation has one queue for all sessions, which content that is always there keeps busy. And URLSession has six
    /// connections to a host, for which an event stream would wait longer than it may take to begin.
    var isPlayedOneFaceAtATime: Bool { limitation == .limitWhileReceiving || isSlow }

    /// The end of all requests: where content is handed over as a whole, no pause ends an endless stream.
    var deadline: TimeInterval? { limitation == .limitWhileReceiving ? 2 : nil }

    /// Whether the response comes, though not within the timeout.
    private var isSlow: Bool { error == "timedOut" && !exceptions.isEmpty }

    /// How long a request may take until its client ends it; the head of a slow response comes within that time.
    var timeout: TimeInterval {
        if limitation == .limitWhileReceiving { return 0.4 }
        return error != "timedOut" ? 10 : isSlow ? 1 : 0.4
    }

    private static let badGzip = RawServer.Reply.raw(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 19\r\n\r\nthis was never gzip"
    )

    static let all: [MatrixFault] = [
        MatrixFault("connection refused", at: .closedPort, .cannotConnect),
        MatrixFault("unknown host", at: .unknownHost, .cannotFindHost),
        MatrixFault("no TLS", at: .plainServer, .tls),
        MatrixFault("closed before the response", .closed, .connectionLost),
        MatrixFault("reset before the response", .reset, .connectionLost),
        MatrixFault("cut header block", .cutHeaders, .connectionLost).lacking(.cutHeaderBlocks),
        MatrixFault("no HTTP", .garbage, .malformedResponse),
        MatrixFault("bad status line", .badStatusLine, .malformedResponse),
        MatrixFault("header block too large", .hugeHeader(bytes: 1 << 20), .malformedResponse),
        MatrixFault("negative length", .raw("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx"), .malformedResponse),
        MatrixFault("content shorter than its length", .truncated, .connectionLost),
        MatrixFault("reset within the content", .truncatedByReset, .connectionLost),
        MatrixFault("cut within a chunk", .truncatedChunk, .connectionLost),
        MatrixFault("no last chunk", .missingLastChunk, .connectionLost),
        MatrixFault("bad chunk size", .badChunk, .malformedResponse),
        MatrixFault("bad gzip", badGzip, .malformedResponse),
        MatrixFault("silence", .silence, "timedOut"),
        MatrixFault("silence within the content", .stalled, "timedOut"),
        // Transfers limit the pauses, and not the whole time.
        MatrixFault(
            "slower than the timeout",
            .drip("for ever and ever", every: 0.1),
            "timedOut",
            [.upload: "", .download: "", .bytes: "", .events: ""]
        ),
        // A file and a stream of bytes have no limit: the deadline passes, or the reader leaves. An event stream's line is
        // too long.
        MatrixFault(
            "endless content",
            .endless,
            "tooLarge",
            [.download: "timedOut", .bytes: "", .events: "failed"]
        )
        .lacking(.limitWhileReceiving),
        MatrixFault("redirect loop", .redirect(to: "/"), "redirect"),
        MatrixFault("redirect to a file", .redirect(to: "file:///etc/passwd"), "redirect"),
        MatrixFault("redirect to nowhere", .redirect(to: ""), "invalidResponse"),
        MatrixFault("404", .json("{}", status: 404), "clientError"),
        MatrixFault("503", .json("{}", status: 503), "serverError"),
        MatrixFault(
            "content that can't be decoded",
            .json("{"),
            "",
            [.typed: "decoding", .pages: "decoding", .events: "failed"]
        ),
    ]
}

extension RawServer.Reply {
    /// The same reply, with the type of content that event streams must have.
    fileprivate var asEventStream: Self {
        var reply = self
        guard case .send(let head)? = steps.first else { return reply }
        let (start, type) = (Data("HTTP/1.1 200 OK\r\n".utf8), Data("Content-Type: application/octet-stream\r\n".utf8))
        guard head.starts(with: start) else { return reply }
        var rest = Data(head.dropFirst(start.count))
        if rest.starts(with: type) { rest = Data(rest.dropFirst(type.count)) }
        reply.steps[0] = .send(start + Data("Content-Type: text/event-stream\r\n".utf8) + rest)
        return reply
    }
}
