/// Says what a request shall send; it becomes bytes at execution, so that a failure reaches the request's handlers.
indirect enum BodyContent: Sendable {
    case none
    case ready(RequestBody, MediaType)
    /// Encoded at execution, with the client's encoder.
    case encodable(any Encodable & Sendable)
    case multipart(Multipart)
    case failed(SimpleNetworkingError)

    static func text(_ text: String, _ type: MediaType = .text) -> BodyContent { .ready(.data(Data(text.utf8)), type) }

    static func form(_ pairs: Query) -> BodyContent { .ready(.data(Data(pairs.formEncoded.utf8)), .form) }

    /// Takes dictionaries, arrays and fragments, and encodes them at once: they may change before the execution.
    static func json(_ object: Any?) -> BodyContent {
        do {
            return .ready(.data(try JSONObjectWriter.data(of: object)), .json)
        } catch {
            return .failed(error)
        }
    }

    /// Encodes at once: the value may not be Sendable.
    static func json(encoding value: some Encodable, with encoder: JSONEncoder) -> BodyContent {
        do {
            return .ready(.data(try data(of: value, using: encoder)), .json)
        } catch {
            return .failed(error)
        }
    }

    /// The content of a typed request: `Data` and `String` as they are, nil as no content, anything else as JSON.
    static func typed(_ value: (any Encodable & Sendable)?) -> BodyContent {
        switch value {
        case let data as Data: .ready(.data(data), .json)
        case let text as String: .text(text, .json)
        case let optional as any OptionalValue where optional.wrapped == nil: .none
        case let value?: .encodable(value)
        case nil: .none
        }
    }

    /// Makes the bytes, and tells which `Content-Type` they have.
    func encoded(
        with encoder: @autoclosure () -> JSONEncoder
    ) throws(SimpleNetworkingError) -> (RequestBody, MediaType?) {
        switch self {
        case .none: return (.none, nil)
        case .ready(let body, let type): return (body, type)
        case .multipart(let parts): return (try parts.encoded(), parts.mediaType)
        case .failed(let error): throw error
        case .encodable(let value): return (.data(try Self.data(of: value, using: encoder())), .json)
        }
    }

    private static func data(
        of value: some Encodable,
        using encoder: JSONEncoder
    ) throws(SimpleNetworkingError) -> Data {
        do {
            return try encoder.encode(value)
        } catch {
            throw .invalidRequest(reason: words(for: error, encoding: value), nil)
        }
    }

    private static func words(for error: any Error, encoding value: any Encodable) -> String {
        let text = "\(type(of: value)) cannot be encoded as JSON"
        guard case EncodingError.invalidValue(_, let context) = error else { return "\(text) (\(error))" }
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return text + (path.isEmpty ? "" : " at \(path)") + " (\(context.debugDescription))"
    }
}
