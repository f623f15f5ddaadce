/// One stored answer as a file's bytes: lengths and a checksum, then its head as JSON, then its content.
enum CacheFile {
    private struct Head: Codable {
        let status: Int
        /// Names and values by turns.
        let fields: [String]
        let requestTime: TimeInterval
        let responseTime: TimeInterval
    }

    private static let mark = Array("SNCACHE1".utf8)
    /// The mark, the lengths of head and content, the checksum; each takes 8 bytes.
    private static let headStart = 32

    static func bytes(of response: StoredResponse) throws -> Data {
        let head = Head(
            status: response.status,
            fields: response.headers.flatMap { [$0.name, $0.value] },
            requestTime: response.requestTime.timeIntervalSinceReferenceDate,
            responseTime: response.responseTime.timeIntervalSinceReferenceDate
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let encoded = try encoder.encode(head)
        var bytes = Data(mark)
        for length in [encoded.count, response.body.count] { bytes.append(UInt64(length)) }
        bytes.append(UInt64(0))
        bytes += encoded
        bytes += response.body
        let sum = bytes.withUnsafeBytes { checksum(of: $0, response.entry) }.littleEndian
        withUnsafeBytes(of: sum) { bytes.replaceSubrange(headStart - 8..<headStart, with: $0) }
        return bytes
    }

    /// Reads what `bytes(of:)` made for this entry; nil if it is anything else, or not all of it.
    static func response(in bytes: Data, for entry: CacheKey.Entry) -> StoredResponse? {
        guard bytes.count >= headStart, bytes.starts(with: mark) else { return nil }
        let (headLength, bodyLength, sum) = bytes.withUnsafeBytes {
            ($0.word(at: 8), $0.word(at: 16), $0.word(at: 24))
        }
        let rest = UInt64(bytes.count - headStart)
        guard headLength <= rest, bodyLength == rest - headLength,
            bytes.withUnsafeBytes({ checksum(of: $0, entry) }) == sum
        else { return nil }
        let bodyStart = bytes.startIndex + headStart + Int(headLength)
        guard let head = try? JSONDecoder().decode(Head.self, from: bytes[(bytes.startIndex + headStart)..<bodyStart])
        else { return nil }
        let fields = stride(from: 0, to: head.fields.count - 1, by: 2).map {
            HTTPHeaders.Field(head.fields[$0], head.fields[$0 + 1])
        }
        return StoredResponse(
            entry,
            status: head.status,
            headers: HTTPHeaders(fields: fields),
            body: Data(bytes[bodyStart...]),
            requestTime: Date(timeIntervalSinceReferenceDate: head.requestTime),
            responseTime: Date(timeIntervalSinceReferenceDate: head.responseTime)
        )
    }

    /// The name of the entry counts, so that a file under another name is none.
    private static func checksum(of bytes: UnsafeRawBufferPointer, _ entry: CacheKey.Entry) -> UInt64 {
        let digests = [entry.address, entry.partition, entry.variant]
        let name = digests.flatMap { [$0.high, $0.low] }.withUnsafeBytes { Checksum.of($0) }
        let start = Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<(headStart - 8)]), after: name)
        return Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[headStart...]), after: start)
    }
}

extension Data {
    fileprivate mutating func append(_ word: UInt64) {
        Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: $0) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
