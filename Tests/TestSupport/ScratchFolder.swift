import Foundation

/// A folder that is removed with its last reference.
package final class ScratchFolder: Sendable {
    package let url = FileManager.default.temporaryDirectory.appendingPathComponent("scratch-\(UUID().uuidString)")

    package init() {}

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The files whose names end so.
    package func files(_ ending: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasSuffix(ending) }
    }
}
