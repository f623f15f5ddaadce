import SimpleNetworkingFeatureSupport

/// Manages the folder of a cache, with one file for each stored response, readable only by its owner.
///
/// Writes are not flushed to disk. A checksum detects files that were incomplete when the machine stopped.
struct CacheFolder: Sendable {
    private let folder: PrivateFolder

    /// Creates the folder; nil if the folder can't be used.
    init?(_ url: URL) {
        guard let folder = PrivateFolder(url) else { return nil }
        self.folder = folder
    }

    /// Returns the stored responses and their sizes, least recently used first.
    func entries() -> [(entry: CacheKey.Entry, size: Int)] {
        folder.files().compactMap { file in CacheKey.Entry(fileName: file.name).map { ($0, file.size) } }
    }

    /// Reads a response.
    ///
    /// If the file is damaged, removes it.
    func read(_ entry: CacheKey.Entry) -> StoredResponse? {
        guard let bytes = folder.read(entry.fileName) else { return nil }
        let response = StoredResponse(entry, fileContent: bytes)
        if response == nil { remove(entry) } else { folder.use(entry.fileName) }
        return response
    }

    /// Writes a response.
    ///
    /// If that fails, also removes the response's predecessor, which is outdated.
    func write(_ response: StoredResponse) {
        do { try folder.write(response.fileContent(), to: response.entry.fileName) } catch { remove(response.entry) }
    }

    func remove(_ entry: CacheKey.Entry) { folder.remove(entry.fileName) }

    /// Returns the folder's random bytes, created once, so that digests differ between folders.
    func salt() -> [UInt8] {
        if let salt = folder.read("salt"), salt.count == 32 { return Array(salt) }
        let salt = Digest.randomSalt()
        try? folder.write(Data(salt), to: "salt")
        return salt
    }
}

extension CacheKey.Entry {
    fileprivate var fileName: String { digests.map(\.text).joined(separator: "-") + ".response" }

    fileprivate init?(fileName: String) {
        let digests = fileName.pieces(between: "-").compactMap { Digest($0.prefix(32)) }
        guard digests.count == 3 else { return nil }
        self.init(url: digests[0], partition: digests[1], variant: digests[2])
        guard self.fileName == fileName else { return nil }
    }
}

// MARK: - The content of a file

extension StoredResponse {
    private struct Head: Codable {
        let status: Int
        /// The header fields, as alternating names and values.
        let fields: [String]
        let requestTime: Date
        let responseTime: Date
    }

    func fileContent() throws -> Data {
        let fields = headers.flatMap { [$0.name, $0.value] }
        let head = Head(status: status, fields: fields, requestTime: requestTime, responseTime: responseTime)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return SealedContent(head: try encoder.encode(head), body: body).sealed(name: entry.digests)
    }

    /// Reads this entry's file; nil if the content belongs to another entry or is incomplete.
    init?(_ entry: CacheKey.Entry, fileContent bytes: Data) {
        guard let content = SealedContent(bytes, name: entry.digests),
            let head = try? JSONDecoder().decode(Head.self, from: content.head)
        else { return nil }
        let fields = stride(from: 0, to: head.fields.count - 1, by: 2).map {
            HTTPHeaders.Field(head.fields[$0], head.fields[$0 + 1])
        }
        self.init(
            entry: entry,
            status: head.status,
            headers: HTTPHeaders(fields: fields),
            body: content.body,
            requestTime: head.requestTime,
            responseTime: head.responseTime
        )
    }
}
