// What the compiler says to code that transfers content without importing the module for that.

/// Holds what a loop reads.
@available(*, unavailable, message: "import SimpleNetworkingTransfers")
public struct MissingEvent: Sendable {
    /// The name.
    public let event: String
    /// The data.
    public let data: String
    /// The ID.
    public let id: String
    /// The delay.
    public let retry: TimeInterval?
}

/// Transfers files in the background.
@available(*, unavailable, message: "import SimpleNetworkingTransfers")
public final class BackgroundTransfers: Sendable {
    /// Takes what the feature takes.
    public init(identifier: String) {}
}

extension SimpleNetworking {
    /// Returns a body in chunks.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func bytes(for request: SimpleRequest) -> RequestSequence<Data> { RequestSequence { { nil } } }

    /// Returns a typed request's body in chunks.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func bytes<Value>(for request: Request<Value>) -> RequestSequence<Data> { RequestSequence { { nil } } }

    /// Returns the events of an event stream.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func events(
        for request: SimpleRequest,
        maxEventSize: Int = 0,
        reconnects: Bool = false,
        idleTimeout: TimeInterval? = nil
    ) -> RequestSequence<MissingEvent> { RequestSequence { { nil } } }

    /// Returns the lines of a body.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func lines(for request: SimpleRequest, maxLineSize: Int = 0) -> RequestSequence<String> {
        RequestSequence { { nil } }
    }

    /// Returns the values of JSON lines.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func jsonLines<Value: Decodable & _SendableMetatype>(
        of type: Value.Type = Value.self,
        for request: SimpleRequest,
        maxLineSize: Int = 0
    ) -> RequestSequence<Value> { RequestSequence { { nil } } }

    /// Downloads a body to a file.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func download(for request: SimpleRequest, to file: URL) async throws -> Response<URL> {
        throw CancellationError()
    }

    /// Downloads a typed request's body to a file.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func download<Value>(for request: Request<Value>, to file: URL) async throws -> Response<URL> {
        throw CancellationError()
    }
}

extension SimpleNetworking.Configuration {
    /// The maximum size of a downloaded file.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public var maxDownloadSize: Int? {
        get { nil }
        set {}
    }
}

extension SimpleRequest {
    /// Saves the content to a file.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func download(to file: URL) -> Self { self }

    /// Resumes the upload of the body.
    @available(*, unavailable, message: "import SimpleNetworkingTransfers")
    public func resumesUpload(draft: Any? = nil, record: URL? = nil) -> Self { self }
}
