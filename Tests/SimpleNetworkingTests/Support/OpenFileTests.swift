#if !os(Windows)
    import Foundation
    import SimpleNetworkingSupport
    import SimpleNetworkingTestSupport
    import Testing

    /// Files by their descriptors, as FoundationEssentials has no `FileHandle`.
    @Suite
    struct OpenFileTests {
        private let folder = ScratchFolder()

        init() throws { try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true) }

        @Test
        func whatIsWrittenIsRead() throws {
            let path = folder.url.appendingPathComponent("file").path
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
            let written = OpenFile(fileDescriptor: open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600))
            try written.write(contentsOf: bytes)
            #expect(try written.seekToEnd() == bytes.count)
            try written.close()
            let read = try #require(OpenFile(reading: path))
            #expect(try read.read(upToCount: 3) == Data(bytes[..<3]))
            try read.seek(toOffset: 199_000)
            #expect(try read.readToEnd() == Data(bytes[199_000...]))
            #expect(try read.readToEnd() == nil)
        }

        @Test
        func aClosedFileThrows() throws {
            let file = try #require(OpenFile(reading: "/dev/null"))
            try file.close()
            try file.close()
            #expect(throws: CocoaError.self) { try file.read(upToCount: 1) }
        }

        @Test
        func aFullDiskIsToldFromOtherFailures() throws {
            #expect(OpenFile(reading: folder.url.appendingPathComponent("none").path) == nil)
            guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
            let full = OpenFile(fileDescriptor: open("/dev/full", O_WRONLY))
            let error = #expect(throws: CocoaError.self) { try full.write(contentsOf: [1]) }
            #expect(error?.code == .fileWriteOutOfSpace)
        }
    }
#endif
