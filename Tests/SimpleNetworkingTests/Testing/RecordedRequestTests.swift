import Foundation
import SimpleNetworking
import SimpleNetworkingForms
import SimpleNetworkingTesting
import Testing

/// What a test reads of the requests that a stub recorded.
@Suite(.timeLimit(.minutes(5)))
struct RecordedRequestTests {
    private let server = StubTransport().on("*", .status(204))

    private func recorded(_ request: SimpleRequest) async throws -> TransportRequest {
        let client = SimpleNetworking(over: server)
        _ = try await client.send(request)
        return try #require(server.requests.last)
    }

    @Test
    func jsonQueryAndTextAreRead() async throws {
        let request = try await recorded(SimpleNetworking.post("/x?a=1&b=x%20y").body(json: ["name": "Ada"]))
        #expect(request.json?["name"] as? String == "Ada")
        #expect(request.text == #"{"name":"Ada"}"#)
        #expect(request.query == [("a", "1"), ("b", "x y")])
        #expect(request.form == nil)
        #expect(request.multipart == nil)
        #expect(try await recorded(SimpleNetworking.post("/x").body(json: [1, 2])).jsonArray as? [Int] == [1, 2])
    }

    @Test
    func formsAreDecoded() async throws {
        let request = try await recorded(SimpleNetworking.post("/x").body(form: [("a", "1+1"), ("ä", "x&y")]))
        #expect(request.form == [("a", "1+1"), ("ä", "x&y")])
        #expect(request.json == nil)
    }

    @Test
    func aFormOfAnySizeIsReadFromARequestThatIsNotSent() async throws {
        let bytes = Data(repeating: 7, count: 11 << 20)
        let form = Multipart().field("a", "1").data("big", bytes, filename: "b.bin")
            .stream("stream", length: nil) { InputStream(data: Data("streamed".utf8)) }
        let client = SimpleNetworking(over: server)
        let request = try await client.makeRequest(for: SimpleNetworking.post("/x").body(multipart: form))
        for _ in 1...2 {
            let parts = try #require(request.multipart)
            #expect(parts.map(\.name) == ["a", "big", "stream"])
            #expect(parts[1].data == bytes && parts[2].text == "streamed")
        }
        #expect(try await recorded(SimpleNetworking.post("/x").body(multipart: form)).multipart?.count == 3)
    }

    @Test
    func partsOfAMultipartBodyAreParsed() async throws {
        let bytes = Data((0...255).map { UInt8($0) }) + Data("\r\n--not the boundary\r\n".utf8)
        let form = Multipart().field("ti\"tle", "Sunset").data("photo", bytes, filename: "ä.bin", type: "image/png")
            .field("empty", "")
        let request = try await recorded(SimpleNetworking.post("/x").body(multipart: form))
        let parts = try #require(request.multipart)
        #expect(parts.map(\.name) == ["ti\"tle", "photo", "empty"])
        #expect(parts.map(\.filename) == [nil, "ä.bin", nil])
        #expect(parts[0].text == "Sunset")
        #expect(parts[1].data == bytes)
        #expect(parts[1].type == "image/png")
        #expect(parts[2].data.isEmpty)
    }

    @Test
    func multipartThatBreaksTheRulesIsNil() async throws {
        for body in ["", "--b\r\nno colon\r\n\r\nx\r\n--b--", "--b\r\nContent-Disposition: form-data\r\n\r\nx"] {
            let request = SimpleNetworking.post("/x").body(
                data: Data(body.utf8),
                contentType: "multipart/form-data; boundary=b"
            )
            #expect(try await recorded(request).multipart == nil)
        }
    }

    @Test
    func filesAndStreamsAreReadAgain() async throws {
        let scratch = try ScratchFile()
        try Data("content".utf8).write(to: scratch.url)
        let file = try await recorded(SimpleNetworking.post("/x").body(file: scratch.url, contentType: "text/plain"))
        #expect(file.text == "content")
        var streamed = file
        streamed.body = .stream(length: nil) { InputStream(data: Data("stream".utf8)) }
        #expect(streamed.text == "stream")
        let pieces = BodyChunks {
            AsyncStream { stream in
                for text in ["pie", "ces"] { stream.yield(Data(text.utf8)) }
                stream.finish()
            }
        }
        let made = SimpleNetworking.post("/x").body(chunks: pieces, contentType: .text)
        #expect(try await recorded(made).text == "pieces")
    }
}
