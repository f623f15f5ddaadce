import Foundation

/// A file, or a place for one, that goes with its last reference.
package final class ScratchFile: Sendable {
    package let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    package init(_ content: Data? = nil) throws { try content?.write(to: url) }

    deinit { try? FileManager.default.removeItem(at: url) }

    package var content: Data? { try? Data(contentsOf: url) }
}
