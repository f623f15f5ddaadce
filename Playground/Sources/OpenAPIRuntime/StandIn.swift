public import Foundation
public import HTTPTypes

// Stands in for swift-openapi-runtime, with no more than the adapter and its tests use of it. `Package.swift` says how
// to build them against the package itself.

/// Sends the requests of generated clients.
public protocol ClientTransport: Sendable {
    /// Sends a request and returns the response.
    func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (
        HTTPResponse, HTTPBody?
    )
}

/// Holds content as a sequence of chunks.
public final class HTTPBody: Sendable, AsyncSequence {
    /// The type of a chunk.
    public typealias ByteChunk = ArraySlice<UInt8>
    /// The type of an element.
    public typealias Element = ByteChunk

    /// Tells how many bytes there are.
    public enum Length: Sendable, Equatable {
        /// Not known yet.
        case unknown
        /// This many.
        case known(Int64)
    }

    /// The number of bytes.
    public let length: Length
    private let make: @Sendable () -> Iterator

    /// Makes content of bytes.
    public init(_ data: Data) {
        length = .known(Int64(data.count))
        make = {
            var rest: ByteChunk? = data.isEmpty ? nil : ArraySlice(data)
            return Iterator {
                defer { rest = nil }
                return rest
            }
        }
    }

    /// Makes content of a stream, which can be read once.
    public init(_ stream: AsyncThrowingStream<ByteChunk, any Error>, length: Length) {
        self.length = length
        make = {
            var iterator = stream.makeAsyncIterator()
            return Iterator { try await iterator.next() }
        }
    }

    /// Makes an iterator.
    public func makeAsyncIterator() -> Iterator { make() }

    /// Gives one chunk after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let produce: () async throws -> ByteChunk?

        /// Waits for the next chunk.
        public mutating func next() async throws -> ByteChunk? { try await produce() }
    }
}

extension Data {
    /// Collects the content.
    ///
    /// - Throws: The content's error, or one for content over the limit.
    public init(collecting body: HTTPBody, upTo limit: Int) async throws {
        self.init()
        for try await chunk in body {
            append(contentsOf: chunk)
            if count > limit { throw CocoaError(.fileReadTooLarge) }
        }
    }
}
