import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingForms

struct MultipartTests {
    @Test
    func partsAreWrittenInOrder() throws {
        let file = try TemporaryFile()
        try file.append(Data("on disk".utf8))
        let form = Multipart(boundary: "B").field("title", "é").data("raw", Data("bytes".utf8), type: .json)
            .file("doc", at: file.url, filename: "a.txt", type: "text/plain")
        #expect(form.contentType == "multipart/form-data; boundary=B")
        #expect(
            try text(of: form.encoded()) == """
                --B\r
                Content-Disposition: form-data; name="title"\r
                \r
                é\r
                --B\r
                Content-Disposition: form-data; name="raw"\r
                Content-Type: application/json\r
                \r
                bytes\r
                --B\r
                Content-Disposition: form-data; name="doc"; filename="a.txt"\r
                Content-Type: text/plain\r
                \r
                on disk\r
                --B--\r

                """
        )
    }

    @Test(arguments: [
        (#"a"b"#, #"a%22b"#), ("a\r\nb", "a%0D%0Ab"), ("a\nb", "a%0Ab"), ("a%22", "a%22"), (#"a\b"#, #"a\b"#),
        ("a;b=c", "a;b=c"),
    ])
    func namesCannotBreakOut(name: String, written: String) throws {
        let text = try text(of: Multipart(boundary: "B").data(name, Data(), filename: name).encoded())
        #expect(text.contains("; name=\"\(written)\"; filename=\"\(written)\"\r\n"))
    }

    @Test(arguments: ["é x.png", "50%.txt", "日本語.pdf", "👩‍👩‍👧.txt", "naïve 'q'.txt", "e\u{301}.txt", ""])
    func namesBeyondASCIIAreSentAsUTF8AndOnlyOnce(name: String) throws {
        let form = Multipart(boundary: "B").data(name, Data(), filename: name, type: "a/b").field(name, "")
        let text = try text(of: form.encoded())
        let fields = text.components(separatedBy: "\r\n").filter { $0.hasPrefix("Content-Disposition") }
        let start = "Content-Disposition: form-data; name=\"\(name)\""
        #expect(fields.map { Array($0.utf8) } == [start + "; filename=\"\(name)\"", start].map { Array($0.utf8) })
    }

    @Test(arguments: ["a\0", "a\tb", "\u{1B}[0m", "a\u{7F}", "\u{1}"])
    func aNameWithAControlCharacterIsRefused(name: String) throws {
        let forms = [
            (Multipart().field(name, ""), "the name of a part"), (Multipart().data(name, Data()), "the name of a part"),
            (Multipart().data("a", Data(), filename: name), "the file name of its part “a”"),
            (Multipart().stream("a", length: nil, filename: name) { nil }, "the file name of its part “a”"),
        ]
        for (form, place) in forms {
            let error = #expect(throws: SimpleNetworkingError.self) { try form.encoded() }
            #expect(error?.description.contains("\(place) holds a control character") == true)
        }
    }

    @Test
    func aFileIsSentUnderItsOwnName() throws {
        let file = try TemporaryFile()
        #expect(try text(of: Multipart().file("a", at: file.url).encoded()).contains(file.url.lastPathComponent))
    }

    @Test
    func emptyFormHasOnlyTheClosingBoundary() throws {
        #expect(try text(of: Multipart(boundary: "B").encoded()) == "--B--\r\n")
    }

    @Test
    func boundariesDiffer() {
        #expect(Multipart().contentType != Multipart().contentType)
    }

    @Test
    func aPartHasItsOwnHeaderFields() throws {
        let form = Multipart(boundary: "B")
            .data("a", Data("1".utf8), type: .text, headers: ["Content-ID": "<a@b>", "X-Order": "é"])
        #expect(
            try text(of: form.encoded()) == """
                --B\r
                Content-Disposition: form-data; name="a"\r
                Content-Type: text/plain; charset=utf-8\r
                Content-ID: <a@b>\r
                X-Order: é\r
                \r
                1\r
                --B--\r

                """
        )
    }

    @Test
    func largeFormIsReadInPiecesWithItsLengthForEachAttempt() async throws {
        let file = try TemporaryFile()
        try file.append(Self.content)
        let form = Multipart(boundary: "B").file("c", at: file.url, filename: "c.bin", type: .octetStream)
        let (length, chunks) = try Self.chunks(of: form.encoded(memoryLimit: 100))
        #expect(length == Self.form.count)
        for _ in 1...2 { #expect(try await isForm(chunks)) }
    }

    @Test(arguments: [3_000_000, nil])
    func aStreamIsReadInPiecesAndCountedIfItsLengthIsKnown(length: Int?) async throws {
        let form = Multipart(boundary: "B")
            .stream("c", length: length, filename: "c.bin") { InputStream(data: Self.content) }
        let (total, chunks) = try Self.chunks(of: form.encoded())
        #expect(total == length.map { _ in Self.form.count })
        #expect(try await isForm(chunks))
    }

    @Test(arguments: [
        (4, "part “c” has 3 of 4 bytes"), (2, "part “c” has more than 2 bytes"), (nil, "there is no stream"),
    ])
    func aStreamThatIsNotAsAnnouncedIsAnError(length: Int?, detail: String) async throws {
        let form = Multipart().stream("c", length: length) { length == nil ? nil : InputStream(data: Data("abc".utf8)) }
        let (_, chunks) = try Self.chunks(of: form.encoded())
        let failure = await #expect(throws: NetworkFailure.self) { for try await _ in chunks {} }
        #expect(failure?.kind == .unreadableBody && failure?.detail?.contains(detail) == true)
    }

    @Test
    func aFileThatChangesOrGoesIsAnError() async throws {
        let file = try TemporaryFile()
        try file.append(Data("abc".utf8))
        let form = Multipart().file("c", at: file.url)
        let (_, chunks) = try Self.chunks(of: form.encoded(memoryLimit: 1))
        try file.append(Data("d".utf8))
        let changed = await #expect(throws: NetworkFailure.self) { for try await _ in chunks {} }
        #expect(changed?.detail?.contains("more than 3 bytes") == true)
        try FileManager.default.removeItem(at: file.url)
        let gone = await #expect(throws: NetworkFailure.self) { for try await _ in chunks {} }
        #expect(gone?.kind == .unreadableBody)
    }

    @Test
    func largeDataIsReadInPiecesToo() async throws {
        let form = Multipart(boundary: "B").data("c", Self.content, filename: "c.bin")
        let (_, chunks) = try Self.chunks(of: form.encoded(memoryLimit: 100))
        #expect(try await isForm(chunks))
    }

    @Test
    func aCancelledReaderReadsNoFurther() async throws {
        let form = Multipart(boundary: "B").data("c", Self.content, filename: "c.bin")
        let (_, chunks) = try Self.chunks(of: form.encoded(memoryLimit: 100))
        let reads = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var count = 0
            do { for try await _ in chunks { count += 1 } } catch is CancellationError { return count }
            return -1
        }
        #expect(try await reads.value == 0)
    }

    /// Reads the chunks, none of which may be large; returns whether they are the form written by hand.
    private func isForm(_ chunks: BodyChunks) async throws -> Bool {
        var found = Data()
        for try await chunk in chunks {
            #expect(chunk.count <= 1 << 18)
            found.append(chunk)
        }
        // Not compared in `#expect`, which would look for minutes for what differs.
        return found == Self.form
    }

    private static func chunks(of body: RequestBody) throws -> (length: Int?, chunks: BodyChunks) {
        guard case .chunks(let length, let chunks) = body else { throw Surprise("\(body)") }
        return (length, chunks)
    }

    /// More than is read at once.
    private static let content = Data((0..<3_000_000).map { UInt8($0 % 251) })

    /// The form of that file, written by hand.
    private static let form =
        Data(
            """
            --B\r
            Content-Disposition: form-data; name="c"; filename="c.bin"\r
            Content-Type: application/octet-stream\r
            \r

            """.utf8
        ) + content + Data("\r\n--B--\r\n".utf8)

    @Test
    func largeFileInMemoryIsWhole() throws {
        let file = try TemporaryFile()
        try file.append(Self.content)
        let form = Multipart(boundary: "B").file("c", at: file.url, filename: "c.bin", type: .octetStream)
        guard case .data(let data) = try form.encoded() else {
            Issue.record("the form is not in memory")
            return
        }
        // Outside of `#expect`, which would look for minutes for what differs.
        let isWhole = data == Self.form
        #expect(isWhole)
    }

    @Test(arguments: [
        (Multipart().file("a", at: URL(fileURLWithPath: "/nowhere/x.png")), "/nowhere/x.png"),
        (Multipart().file("a", at: FileManager.default.temporaryDirectory), "cannot be read"),
        (Multipart(boundary: "a b"), "boundary"), (Multipart(boundary: ""), "boundary"),
        (Multipart(boundary: String(repeating: "x", count: 71)), "boundary"),
        (Multipart().data("a", Data(), type: "a/b\r\nX: y"), "control character"),
        (Multipart().data("a", Data(), headers: ["Content-ID": "1\r\nX: y"]), "not a valid header field"),
        (Multipart().data("a", Data(), headers: ["Content ID": "1"]), "not a valid header field"),
        (Multipart().file("a", at: URL(fileURLWithPath: "/"), headers: ["content-type": "a/b"]), "provide"),
        (Multipart().stream("a", length: 1, headers: ["Content-Disposition": "x"]) { nil }, "provide"),
    ])
    func invalidFormsAreRefused(form: Multipart, reason: String) {
        let error = #expect(throws: SimpleNetworkingError.self) { try form.encoded() }
        #expect(error?.description.contains(reason) == true)
    }

    private func text(of body: RequestBody) -> String {
        guard case .data(let data) = body else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
