import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

struct TemporaryFileTests {
    @Test
    func temporaryFileIsRemovedWithItsLastReference() throws {
        var file: TemporaryFile? = try TemporaryFile()
        for text in ["a", "bc"] { try file?.append(Data(text.utf8)) }
        try file?.close()
        let url = try #require(file?.url)
        #expect(try String(contentsOf: url, encoding: .utf8) == "abc")
        #expect(file?.length == 3)
        let permissions = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o600)
        file = nil
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test
    func aClosedFileIsNotWritten() throws {
        let file = try TemporaryFile()
        try file.close()
        #expect(throws: CocoaError.self) { try file.append(Data([1])) }
        #expect(file.length == 0)
    }
}
