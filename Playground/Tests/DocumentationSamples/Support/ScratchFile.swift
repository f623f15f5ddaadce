import Foundation

/// A file or a folder, or a place for one, that is removed with its last reference.
final class ScratchFile: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("scratch-\(UUID().uuidString)")

    init(_ content: Data? = nil) {
        if let content { _ = FileManager.default.createFile(atPath: url.path, contents: content) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var content: Data? { try? Data(contentsOf: url) }
}
