import Foundation
import SimpleNetworkingForms
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Which `Content-Type` is sent: the request's own, the body's, the client's, the session's, or what is assumed.
@Suite(.timeLimit(.minutes(5)))
struct ContentTypeTests {
    /// How a body is given, and the type that comes with it.
    enum Kind: CaseIterable {
        case object, encoded, typed, typedData, typedText, content, string, upload, uploadedFile
        case form, text, data, file, stream, chunks, multipart

        var type: String {
            switch self {
            case .object, .encoded, .typed, .typedData, .typedText: "application/json"
            case .content, .upload, .uploadedFile: "application/octet-stream"
            case .string, .text: "text/plain; charset=utf-8"
            case .form: "application/x-www-form-urlencoded"
            case .data, .file, .stream, .chunks: "image/png"
            case .multipart: "multipart/form-data; boundary=B"
            }
        }

        /// Whether the caller has named no type.
        var isAssumed: Bool {
            switch self {
            case .object, .encoded, .typed, .typedData, .typedText, .content, .string, .upload, .uploadedFile: true
            case .form, .text, .data, .file, .stream, .chunks, .multipart: false
            }
        }

        var isMultipart: Bool { if case .multipart = self { true } else { false } }
    }

    private struct Thing: Encodable {
        var name = "abc"
    }

    /// Who has a default.
    enum Default: CaseIterable {
        case none, client, session
    }

    private static let file = Result { try ScratchFile(Data("abc".utf8)) }
    private static let ownType = "application/x-own"
    private static let defaultType = "application/vnd.api+json"

    private func send(_ kind: Kind, own: String?, by client: SimpleNetworking) async throws {
        let data = Data("abc".utf8)
        let file = try Self.file.get().url
        let headers = own.map { ["content-type": $0] }
        func post(_ build: (SimpleRequest) -> SimpleRequest) async {
            await client.post("/x") { request in
                let request = build(request)
                return own.map { request.header("content-type", $0) } ?? request
            }
            .ended()
        }
        switch kind {
        case .object: await post { $0.body(json: ["a": 1] as [String: Any]) }
        case .encoded: await post { $0.body(json: Thing()) }
        case .content: await post { $0.body(data) }
        case .string: await post { $0.body("abc") }
        case .form: await post { $0.body(form: [("a", "1")]) }
        case .text: await post { $0.body(text: "abc") }
        case .data: await post { $0.body(data: data, contentType: "image/png") }
        case .file: await post { $0.body(file: file, contentType: "image/png") }
        case .stream: await post { $0.body(streamOfLength: 3, contentType: "image/png") { InputStream(data: data) } }
        case .chunks: await post { $0.body(chunks: BodyChunks { Chunks([data]) }, length: 3, contentType: "image/png") }
        case .multipart: await post { $0.body(multipart: Multipart(boundary: "B").field("a", "1")) }
        case .typed: try await client.send(Request<Void>.post("/x", body: Thing(), headers: headers))
        case .typedData: try await client.send(Request<Void>.post("/x", body: data, headers: headers))
        case .typedText: try await client.send(Request<Void>.post("/x", body: "abc", headers: headers))
        case .upload: try await client.upload(for: Request<Void>.post("/x", headers: headers), from: data)
        case .uploadedFile: try await client.upload(for: Request<Void>.post("/x", headers: headers), fromFile: file)
        }
    }

    private func client(_ server: RawServer, _ engine: Engine, _ type: Default) throws -> SimpleNetworking {
        try engine.client(server) {
            if type == .client { $0.defaultHeaders["CONTENT-TYPE"] = Self.defaultType }
            if type == .session { $0.sessionConfiguration.httpAdditionalHeaders = ["content-type": Self.defaultType] }
        }
    }

    @Test(arguments: Engine.allCases)
    func theRequestsTypeComesFirstThenTheBodysThenTheDefaultThenWhatIsAssumed(engine: Engine) async throws {
        let server = try RawServer { _ in .response() }
        for type in Default.allCases {
            let client = try client(server, engine, type)
            for kind in Kind.allCases {
                for own in [nil, Self.ownType] {
                    try await send(kind, own: own, by: client)
                    let byDefault = kind.isAssumed && type != .none ? Self.defaultType : kind.type
                    let expected = kind.isMultipart ? kind.type : own ?? byDefault
                    let found = server.requests.last?[header: "Content-Type"]
                    #expect(found == expected, "\(kind), \(type), \(own ?? "no field of its own")")
                }
            }
        }
    }

    @Test(arguments: Default.allCases)
    func withoutContentOnlyAnExplicitDefaultIsSent(type: Default) async throws {
        let server = try RawServer { _ in .response() }
        for engine in Engine.allCases {
            let client = try client(server, engine, type)
            await client.get("/x").ended()
            await client.post("/x").ended()
            try await client.send(Request<Void>.get("/x"))
        }
        #expect(server.requests.count == 3 * Engine.allCases.count)
        let expected = type == .none ? nil : Self.defaultType
        #expect(server.requests.allSatisfy { $0[header: "Content-Type"] == expected })
    }

    @Test
    func aMultipartBodyTakesATypeOfTheRequestThatHasItsBoundary() async throws {
        let server = StubTransport().on("*", .status(200))
        let client = SimpleNetworking(over: server)
        let form = Multipart(boundary: "B").field("a", "1")
        for (own, sent) in [
            ("multipart/mixed; boundary=B", "multipart/mixed; boundary=B"),
            ("multipart/mixed; boundary=C", "multipart/form-data; boundary=B"),
            ("multipart/mixed", "multipart/form-data; boundary=B"),
        ] {
            await client.post("/x") { $0.body(multipart: form).contentType(MediaType(own)) }.ended()
            #expect(server.requests.last?.headers.values(for: "Content-Type") == [sent])
        }
    }
}
