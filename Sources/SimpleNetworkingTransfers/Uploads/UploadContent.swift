import SimpleNetworkingFeatureSupport

/// Content that can be read again from any byte, and the attributes that identify it then.
struct UploadContent: Sendable, Equatable {
    /// Identifies a version of a file, even after the program was started again.
    struct FileVersion: Sendable, Equatable, Codable {
        let number: UInt64
        let changed: TimeInterval
        let length: Int
    }

    private enum Source: Equatable {
        case data(Data)
        case file(URL, FileVersion)
    }

    private let source: Source
    let length: Int

    /// Reads the attributes of a body, or returns nil if the body can be sent only as a whole.
    init?(_ body: RequestBody) throws {
        switch body {
        case .data(let data):
            source = .data(data)
            length = data.count
        case .file(let url):
            let status: SystemFiles.Status
            do {
                status = try SystemFiles.status(of: url.path)
            } catch {
                throw NetworkFailure(.unreadableBody, detail: error.reason)
            }
            guard status.isFile else { return nil }
            length = status.size
            let version = FileVersion(number: status.number, changed: status.changed, length: length)
            source = .file(url, version)
        case .none, .stream, .chunks: return nil
        }
    }

    /// Returns the content from a byte to the end.
    func rest(from offset: Int) -> RequestBody {
        switch source {
        case .data(let data): .data(Data(data.dropFirst(offset)))
        case .file(let url, _):
            .stream(length: length - offset) {
                // The request may have waited; two files must not become one upload.
                guard (try? UploadContent(.file(url))) == self else { return nil }
                return FileStream(url, from: offset)
            }
        }
    }

    /// The version of the file; nil if the content is in memory.
    var fileVersion: FileVersion? {
        guard case .file(_, let version) = source else { return nil }
        return version
    }
}
