import Foundation
import SimpleNetworkingCore

extension Result where Failure == SimpleNetworkingError {
    package var error: SimpleNetworkingError? { if case .failure(let error) = self { error } else { nil } }
    package var value: Success? { if case .success(let value) = self { value } else { nil } }
}

extension Result where Failure == any Error {
    /// What came of some work.
    package init(of work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
