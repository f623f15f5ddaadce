import CZlib
import Foundation

/// Compresses and decompresses data with zlib.
public enum Gzip {
    /// What tells zlib to write, or to read, gzip's header and trailer, with the largest window.
    private static let windowBits: Int32 = 15 + 16

    /// Returns the data in gzip's format (RFC 1952); nil if memory is short.
    public static func compress(_ data: Data) -> Data? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream,
                Z_DEFAULT_COMPRESSION,
                Z_DEFLATED,
                windowBits,
                8,
                Z_DEFAULT_STRATEGY,
                ZLIB_VERSION,
                size
            ) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        return run(&stream, data, room: Int(deflateBound(&stream, uLong(data.count)))) { deflate($0, Z_FINISH) }
    }

    /// Returns the content of data in gzip's format; nil if it isn't, or has more bytes than `limit`.
    public static func decompress(_ data: Data, limit: Int = 1 << 20) -> Data? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        return run(&stream, data, room: limit) { inflate($0, Z_FINISH) }
    }

    /// Passes all data through a stream; nil unless it ends within the room for its result.
    private static func run(
        _ stream: inout z_stream,
        _ data: Data,
        room: Int,
        _ step: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> Data? {
        var input = [UInt8](data)
        var output = [UInt8](repeating: 0, count: room)
        let isDone = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return step(&stream) == Z_STREAM_END
            }
        }
        return isDone ? Data(output.prefix(Int(stream.total_out))) : nil
    }
}
