import Foundation

/// A file, or a place for one, that goes with its last reference.
final class ScratchFile: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init(_ content: Data? = nil) throws { try content?.write(to: url) }

    deinit { try? FileManager.default.removeItem(at: url) }

    var content: Data? { try? Data(contentsOf: url) }
}
