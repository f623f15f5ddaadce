#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// Undoes codings in one piece, with functions of the same libraries that the engine doesn't use for that.
struct WholeDecoder {
    /// No more is decoded: what becomes larger is not compared.
    private static let most = 8 << 20

    /// Why there is no content.
    enum Fault: Error { case malformed, tooLarge, noLibrary }

    static func decode(_ content: CodedBytes) throws -> [UInt8] {
        try content.codings.reversed().reduce(content.bytes) { bytes, coding in
            // Nothing at all decodes to nothing.
            if bytes.isEmpty { return [] }
            return switch coding {
            case .gzip: try inflate(bytes, bits: 47, hasMembers: true)
            case .deflate: try inflate(bytes, bits: bytes[0] & 0x0F == 8 ? 15 : -15, hasMembers: false)
            case .br: try brotli(bytes)
            case .zstd: try zstd(bytes)
            }
        }
    }

    private static func function<Function>(_ library: String, _ name: String, _: Function.Type) throws -> Function {
        guard let handle = dlopen(library, RTLD_NOW), let address = dlsym(handle, name) else { throw Fault.noLibrary }
        return unsafeBitCast(address, to: Function.self)
    }

    // MARK: zlib

    /// zlib's z_stream.
    private struct Stream {
        var nextIn: UnsafePointer<UInt8>?
        var availableIn: UInt32 = 0
        var totalIn: UInt = 0
        var nextOut: UnsafeMutablePointer<UInt8>?
        var availableOut: UInt32 = 0
        var totalOut: UInt = 0
        var message, state, allocate, free, context: UnsafeRawPointer?
        var kind: Int32 = 0
        var checksum: UInt = 0
        var reserved: UInt = 0
    }

    private typealias Begin = @convention(c) (UnsafeMutableRawPointer, Int32, UnsafePointer<CChar>, Int32) -> Int32
    private typealias Step = @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
    private typealias End = @convention(c) (UnsafeMutableRawPointer) -> Int32

    private static func inflate(_ bytes: [UInt8], bits: Int32, hasMembers: Bool) throws -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let (member, used) = try inflateMember(Array(rest), bits: bits)
            result += member
            rest = rest.dropFirst(used)
        } while hasMembers && !rest.isEmpty
        return result
    }

    private static func inflateMember(_ bytes: [UInt8], bits: Int32) throws -> (bytes: [UInt8], used: Int) {
        let library = "libz.so.1", finish: Int32 = 4, streamEnd: Int32 = 1, bufferError: Int32 = -5
        let begin = try function(library, "inflateInit2_", Begin.self)
        let step = try function(library, "inflate", Step.self)
        let end = try function(library, "inflateEnd", End.self)
        var stream = Stream()
        let size = Int32(MemoryLayout<Stream>.size)
        guard begin(&stream, bits, "1.2.0.4", size) == 0 else { throw Fault.malformed }
        defer { _ = end(&stream) }
        var status: Int32 = 0
        let output = bytes.withUnsafeBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: most) { output, count in
                stream.nextIn = input.baseAddress
                stream.availableIn = UInt32(input.count)
                stream.nextOut = output.baseAddress
                stream.availableOut = UInt32(output.count)
                status = step(&stream, finish)
                count = output.count - Int(stream.availableOut)
            }
        }
        if status == bufferError && stream.availableOut == 0 { throw Fault.tooLarge }
        guard status == streamEnd else { throw Fault.malformed }
        return (output, bytes.count - Int(stream.availableIn))
    }

    // MARK: br, zstd

    private typealias Brotli =
        @convention(c) (
            Int, UnsafePointer<UInt8>?, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UInt8>?
        ) -> Int32
    private typealias Zstd = @convention(c) (UnsafeMutablePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int) -> Int

    private static func brotli(_ bytes: [UInt8]) throws -> [UInt8] {
        let decode = try function("libbrotlidec.so.1", "BrotliDecoderDecompress", Brotli.self)
        var isDecoded = false
        let output = [UInt8](unsafeUninitializedCapacity: most) { output, count in
            var size = output.count
            isDecoded = decode(bytes.count, bytes, &size, output.baseAddress) == 1
            count = isDecoded ? size : 0
        }
        guard isDecoded else { throw Fault.malformed }
        return output
    }

    private static func zstd(_ bytes: [UInt8]) throws -> [UInt8] {
        let decode = try function("libzstd.so.1", "ZSTD_decompress", Zstd.self)
        var size = 0
        let output = [UInt8](unsafeUninitializedCapacity: most) { output, count in
            size = decode(output.baseAddress, output.count, bytes, bytes.count)
            count = max(size, 0)
        }
        guard size >= 0 else { throw Fault.malformed }
        return output
    }
}
