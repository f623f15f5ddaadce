import Foundation
import SimpleNetworkingCore
import Testing

/// What the text of a refusal shows of the response's content.
@Suite
struct ErrorExcerptTests {
    private func text(
        _ content: String,
        type: String? = "text/plain",
        status: Int = 404,
        sent: HTTPHeaders = [:]
    ) throws -> String {
        try text(Data(content.utf8), type: type, status: status, sent: sent)
    }

    private func text(_ data: Data, type: String?, status: Int = 404, sent: HTTPHeaders = [:]) throws -> String {
        let url = try #require(URL(string: "https://api.example.com/x"))
        let response = SimpleResponse(
            request: RequestHead(method: .get, url: url, headers: sent),
            httpStatus: status,
            headers: type.map { ["Content-Type": $0] } ?? [:],
            data: data
        )
        return try #require(response.error).description
    }

    @Test(arguments: [(404, "was refused with status 404."), (503, "failed on the server with status 503.")])
    func errorTextShowsTheResponsesText(status: Int, words: String) throws {
        let text = try text("no such user", status: status)
        #expect(text.hasPrefix("GET https://api.example.com/x \(words)"))
        #expect(text.contains(" The response says: “no such user”"))
    }

    @Test(arguments: ["application/json", "application/problem+json", "text/html", "application/xml", "image/svg+xml"])
    func textualTypesAreShown(type: String) throws {
        #expect(try text(#"{"a":1}"#, type: type).contains(#"“{"a":1}”"#))
    }

    @Test
    func contentWithoutATypeIsShownIfItIsText() throws {
        #expect(try text("gone", type: nil).contains("“gone”"))
        #expect(try text(Data([0xff, 0xfe, 0x00]), type: nil).hasSuffix("status 404."))
    }

    @Test(arguments: ["application/octet-stream", "image/png", "multipart/mixed; boundary=a"])
    func otherTypesAreNotShown(type: String) throws {
        #expect(try text("hidden", type: type).hasSuffix("status 404."))
    }

    @Test
    func noContentAddsNothing() throws {
        #expect(try text("").hasSuffix("status 404."))
        #expect(try text(" \r\n ").hasSuffix("status 404."))
    }

    @Test
    func onlyTheFirst200CharactersAreShownInOneLine() throws {
        let text = try text(String(repeating: "é\r\n\u{1b}", count: 300))
        #expect(text.contains("“" + String(repeating: "é ", count: 100) + "…”"))
        #expect(!text.contains("\u{1b}") && !text.contains("\n"))
    }

    private enum Refusal: LocalizedError {
        case full
        var errorDescription: String? { "The cart is full." }
    }

    private enum Plain: Error { case broken }

    @Test(arguments: [(Refusal.full, "The cart is full."), (Plain.broken, "broken")] as [(any Error, String)])
    func errorsOfTheProgramAreToldInTheirOwnWords(error: any Error, words: String) {
        #expect("\(SimpleNetworkingError.failed(error))".contains("failed: \(words)"))
    }

    @Test
    func secretsAreHiddenBeforeTheContentIsCut() throws {
        #expect(!(try text(#"{"access_token": "s3cret"}"#, type: "application/json")).contains("s3cret"))
        let echo = try text("you sent Bearer s3cret", sent: ["Authorization": "Bearer s3cret"])
        #expect(!echo.contains("s3cret") && echo.contains("you sent"))
        let late = String(repeating: "a", count: 195) + " s3cret-token"
        let cut = try text(late, sent: ["Authorization": "s3cret-token"])
        #expect(!cut.contains("s3c"))
    }
}
