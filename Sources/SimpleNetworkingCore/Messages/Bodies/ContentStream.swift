import SimpleNetworkingSupport

/// Provides the bytes of a request's content one piece after another.
///
/// With `import SimpleNetworking`, Foundation's `InputStream` conforms to this protocol, whose requirements it has. The
/// client calls the methods one at a time, but on any thread; they may block. With URLSession, any other stream is read
/// into memory before it is sent.
public protocol ContentStream: AnyObject {
    /// Opens the stream; called once, before the first read.
    func open()

    /// Reads the next bytes into a buffer.
    ///
    /// - Returns: The number of bytes; 0 at the end, and a negative number after a failure.
    func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int

    /// Closes the stream, which isn't read again.
    func close()

    /// The error after a failure; nil otherwise.
    var streamError: (any Error)? { get }
}

/// Provides the bytes of a file.
package final class FileStream: ContentStream {
    package let url: URL
    package let offset: Int
    private let file: OpenFile
    package private(set) var streamError: (any Error)?

    /// Opens a file at a byte; nil if it can't be read.
    package init?(_ url: URL, from offset: Int = 0) {
        #if os(Windows)
            guard let file = try? OpenFile(forReadingFrom: url) else { return nil }
            guard (try? file.seek(toOffset: UInt64(offset))) != nil else { return nil }
        #else
            guard let file = OpenFile(reading: url.path) else { return nil }
            // A pipe can only be read from its start.
            if offset > 0, (try? file.seek(toOffset: offset)) == nil { return nil }
        #endif
        self.url = url
        self.offset = offset
        self.file = file
    }

    package func open() {}

    package func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        do {
            let data = try file.read(upToCount: maxLength) ?? Data()
            data.copyBytes(to: buffer, count: data.count)
            return data.count
        } catch {
            streamError = error
            return -1
        }
    }

    package func close() { try? file.close() }
}

/// Provides the bytes of data.
package final class DataStream: ContentStream {
    private var rest: Data
    package var streamError: (any Error)? { nil }

    package init(_ data: Data) { rest = data }

    package func open() {}

    package func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        let piece = rest.prefix(maxLength)
        piece.copyBytes(to: buffer, count: piece.count)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }

    package func close() {}
}

extension Data {
    /// Reads a stream to its end; nil if it can't be read.
    package init?(reading stream: any ContentStream) {
        self.init()
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count < 0 { return nil }
            if count == 0 { return }
            append(contentsOf: buffer[..<count])
        }
    }
}
