import SimpleNetworking
import SimpleNetworkingTesting

/// The stubbed servers of these tests.
nonisolated enum Server {
    /// Responds with the same items to every request.
    static func open() -> StubTransport { StubTransport().on("*", .json(#"{"items": ["a"]}"#)) }

    /// Responds with 401 to every request.
    static func closed() -> StubTransport { StubTransport().on("*", .json("{}", status: 401)) }

    /// Issues a token at `/auth`, and requires it in a header field everywhere else.
    static func secured(by field: String) -> StubTransport {
        StubTransport()
            .on("/auth", .json(#"{"token": "t"}"#))
            .on("*") { $0.headers[field] == "t" ? .json(#"{"items": ["a"]}"#) : .json("{}", status: 401) }
    }
}

extension SimpleNetworking {
    /// A client of a stubbed server.
    nonisolated convenience init(_ server: StubTransport, callbackQueue: DispatchQueue? = nil) {
        self.init(host: "my.api") {
            $0.transport = server
            $0.logger = .silent
            if let callbackQueue { $0.callbackQueue = callbackQueue }
        }
    }
}

extension Result {
    nonisolated var isSuccess: Bool { if case .success = self { true } else { false } }
    nonisolated var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
