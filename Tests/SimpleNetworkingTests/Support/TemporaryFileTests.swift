import Testing

@testable import SimpleNetworking

struct TemporaryFileTests {
    @Test
    func temporaryFileIsRemovedWithItsLastReference() throws {
        var file: TemporaryFile? = try TemporaryFile { write in
            for text in ["a", "bc"] { try write(Data(text.utf8)) }
        }
        let url = try #require(file?.url)
        #expect(try String(contentsOf: url, encoding: .utf8) == "abc")
        #expect(file?.length == 3)
        let permissions = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o600)
        file = nil
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test
    func aFileThatCannotBeWrittenIsRefused() {
        #expect(throws: CocoaError.self) { try TemporaryFile { _ in throw CocoaError(.fileReadNoSuchFile) } }
    }
}
