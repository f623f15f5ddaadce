import SimpleNetworkingSupport

/// Holds the content of a request, in a form that can be sent again.
public enum RequestBody: Sendable {
    /// Sends no content.
    case none
    /// Sends these bytes.
    case data(Data)
    /// Streams a file's content, reading the file during the transfer.
    case file(URL)
    /// Sends the content of a stream, which `make` opens for each attempt.
    ///
    /// `length` is the number of bytes, or nil if it is unknown.
    case stream(length: Int?, make: @Sendable () -> (any ContentStream)?)
    /// Sends the chunks of an asynchronous sequence.
    ///
    /// `length` is the number of bytes, or nil if it is unknown.
    case chunks(length: Int?, BodyChunks)

    /// Whether the request has no content.
    package var isNone: Bool { if case .none = self { true } else { false } }

    /// Whether the content has a known length, and can be read again from any byte.
    package var isReadableFromAnyByte: Bool {
        switch self {
        case .data, .file: true
        case .none, .stream, .chunks: false
        }
    }

    /// Whether the content can be sent again after part of it was sent.
    var mayBeginAgain: Bool {
        switch self {
        case .none, .data, .file: true
        case .stream, .chunks: false
        }
    }
}

extension RequestBody: Described, Redacted {
    /// The kind and size of the content.
    package var shownText: String {
        switch self {
        case .none: "no content"
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the content of \(url.path)"
        case .stream(let length, _), .chunks(let length, _):
            "a stream of \(length.map { "\($0)" } ?? "an unknown number of") bytes"
        }
    }
}

/// Holds the content that a request will send.
///
/// The client reports an encoding failure when it executes the request, so that the request's handlers receive it.
indirect enum BodyContent: Sendable {
    case none
    /// Content that is ready to send, and the secrets in it.
    case ready(RequestBody, MediaType, isAssumed: Bool = false, secrets: [String] = [])
    /// A value to encode at execution, with the client's encoder.
    case encodable(any Encodable & Sendable)
    /// Content that is produced at execution.
    case source(any BodySource)
    case failed(SimpleNetworkingError)

    var isNone: Bool { if case .none = self { true } else { false } }

    /// Identifies who chose the content type, which determines what overrides it.
    enum TypeChoice {
        /// The library chose the type, so the client's default overrides it.
        case assumed
        /// The caller chose the type, so only the request's own field overrides it.
        case named
        /// The type has a parameter without which the content can't be read, so another type needs the same one.
        case needed(parameter: String)
    }

    var typeChoice: TypeChoice {
        switch self {
        case .ready(_, _, let isAssumed, _): isAssumed ? .assumed : .named
        case .source(let source): source.requiredParameter.map { .needed(parameter: $0) } ?? .named
        case .none, .encodable, .failed: .assumed
        }
    }

    static func text(_ text: String, _ type: MediaType = .text, isAssumed: Bool = false) -> BodyContent {
        .ready(.data(Data(text.utf8)), type, isAssumed: isAssumed)
    }

    static func form(_ pairs: Query) -> BodyContent { .text(pairs.formEncoded, .form) }

    /// Encodes dictionaries, arrays and fragments immediately, because they may change before the execution.
    static func json(_ object: Any?) -> BodyContent {
        do {
            return .ready(.data(try JSONObjectWriter.data(of: object)), .json, isAssumed: true)
        } catch {
            return .failed(.invalidRequest(reason: error.reason, nil))
        }
    }

    /// Encodes a value immediately, because it might not be Sendable.
    static func json(encoding value: some Encodable, with encoder: JSONEncoder) -> BodyContent {
        let memory = SecretMemory()
        do {
            let body = RequestBody.data(try data(of: value, using: encoder, noting: memory))
            return .ready(body, .json, isAssumed: true, secrets: memory.values)
        } catch {
            return .failed(error)
        }
    }

    /// Returns the content for the value of a typed request.
    ///
    /// `Data` and `String` are sent unchanged, nil results in no content, and other values are encoded as JSON.
    static func typed(_ value: (any Encodable & Sendable)?) -> BodyContent {
        switch value {
        case let data as Data: .ready(.data(data), .json, isAssumed: true)
        case let text as String: .text(text, .json, isAssumed: true)
        case let optional as any OptionalValue where optional.wrapped == nil: .none
        case let value?: .encodable(value)
        case nil: .none
        }
    }

    /// Returns the encoded body and its `Content-Type`.
    func encoded(
        with encoder: @autoclosure () -> JSONEncoder,
        noting memory: SecretMemory? = nil
    ) throws(SimpleNetworkingError) -> (RequestBody, MediaType?) {
        switch self {
        case .none: return (.none, nil)
        case .ready(let body, let type, _, let secrets):
            for secret in secrets { memory?.note(secret) }
            return (body, type)
        case .source(let source): return (try source.encoded(), source.contentType)
        case .failed(let error): throw error
        case .encodable(let value): return (.data(try Self.data(of: value, using: encoder(), noting: memory)), .json)
        }
    }

    private static func data(
        of value: some Encodable,
        using encoder: JSONEncoder,
        noting memory: SecretMemory?
    ) throws(SimpleNetworkingError) -> Data {
        do {
            return try Secret.$memory.withValue(memory) { try encoder.encode(value) }
        } catch {
            let failure = CodingFailure(error)
            let reason = "\(type(of: value)) cannot be encoded as JSON\(failure.place) (\(failure.words))"
            throw .invalidRequest(reason: reason, nil)
        }
    }
}
