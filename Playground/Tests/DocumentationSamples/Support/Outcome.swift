import SimpleNetworking

extension Result where Failure == SimpleNetworkingError {
    var error: SimpleNetworkingError? { if case .failure(let error) = self { error } else { nil } }
    var value: Success? { if case .success(let value) = self { value } else { nil } }
}

/// Fails a test whose request ended in another way than the documents say.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ outcome: Any) { description = "\(outcome)" }
}
