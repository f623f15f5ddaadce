import SimpleNetworking

extension Result where Failure == SimpleNetworkingError {
    var error: SimpleNetworkingError? { if case .failure(let error) = self { error } else { nil } }
    var value: Success? { if case .success(let value) = self { value } else { nil } }
}
