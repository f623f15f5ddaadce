import SimpleNetworkingSupport

extension RequestBody {
    /// The number of bytes; nil if it is unknown.
    package var length: Int? {
        switch self {
        case .none: 0
        case .data(let data): data.count
        case .file(let file): (try? FileManager.default.attributesOfItem(atPath: file.path))?.size
        case .stream(let length, _), .chunks(let length, _): length
        }
    }

    package var isEmpty: Bool { length == 0 }

    /// Rejects content that URLSession would not send.
    package func validate(for head: RequestHead) throws {
        let method = head.method.rawValue.uppercased()
        guard isEmpty || (method != "GET" && method != "HEAD") else {
            throw SimpleNetworkingError.invalidRequest(reason: "URLSession sends no content with \(method)", head)
        }
        guard case .file(let file) = self else { return }
        guard file.isFileURL, FileManager.default.isReadableFile(atPath: file.path), !file.isFolder else {
            throw NetworkFailure(.unreadableBody, detail: file.lastPathComponent)
        }
    }
}

extension URL {
    /// Whether there is a folder.
    package var isFolder: Bool {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType == .typeDirectory
    }
}

extension [FileAttributeKey: Any] {
    /// The size, which is an `NSNumber` with full Foundation, and an integer without.
    fileprivate var size: Int? { (self[.size] as? UInt64).map { Int(clamping: $0) } ?? self[.size] as? Int }
}
