import ArgumentParser
import Foundation
import SimpleNetworking

/// Sends one request and shows what came back.
struct RequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Sends a request to any URL.",
        usage: "playground request METHOD URL [options]",
        discussion: """
            Shows the status and the content. Ends with 0 if the request succeeded; otherwise it says why on standard error.

              playground request GET https://api.github.com/zen --verbose
              playground request POST http://127.0.0.1:8080/echo --json '{"a": 1}'
            """
    )

    @Argument(help: "The method, such as GET.", transform: { $0.uppercased() })
    var method: String

    @Argument(help: "The URL, with http or https.")
    var url: String

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp("A header field; may be repeated.", valueName: "name: value")
    )
    var header: [HeaderField] = []

    @Option(help: ArgumentHelp("Content to send as JSON.", valueName: "text"))
    var json: String?

    @Option(help: ArgumentHelp("Content to send as plain text.", valueName: "text"))
    var data: String?

    @Option(help: ArgumentHelp("How often to send again when the network or the server fails.", valueName: "count"))
    var retry = 0

    @Flag(name: .shortAndLong, help: "Shows the header fields, and the trace: what happened when.")
    var verbose = false

    func validate() throws {
        _ = try origin()
        if json != nil, data != nil { throw ValidationError("Give --json or --data, not both.") }
        if retry < 0 { throw ValidationError("--retry takes a count, so 0 or more.") }
        if let json, (try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)) == nil {
            throw ValidationError("What --json was given is not JSON.")
        }
    }

    func run() async throws {
        let client = SimpleNetworking(baseURL: try origin())
        let request = makeRequest()
        let start = ContinuousClock.now
        do {
            show(try await client.send(request), after: start.duration(to: .now))
            showTrace(of: request)
        } catch let error as SimpleNetworkingError {
            error.response.map { show($0, after: start.duration(to: .now)) }
            showTrace(of: request)
            Console.complain(error.localizedDescription + "\n")
            throw ExitCode.failure
        }
    }

    private func makeRequest() -> SimpleRequest {
        let request = SimpleNetworking.request(HTTPMethod(rawValue: method), path: url)
        for field in header { request.header(field.name, field.value) }
        if let json { request.body(data: Data(json.utf8), contentType: .json) }
        if let data { request.body(text: data) }
        if retry > 0 { request.retryPolicy(.exponential(attempts: retry + 1)) }
        return request
    }

    /// The URL without path: the client's base URL, so that credentials may be sent there.
    private func origin() throws -> URL {
        guard var parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false
        else { throw ValidationError("“\(url)” is no http or https URL.") }
        (parts.user, parts.password, parts.path, parts.query, parts.fragment) = (nil, nil, "", nil, nil)
        guard let origin = parts.url else { throw ValidationError("“\(url)” is no http or https URL.") }
        return origin
    }

    private func show(_ response: SimpleResponse, after time: Duration) {
        let milliseconds = Int((time / .milliseconds(1)).rounded())
        var lines = ["HTTP \(response.httpStatus)  \(response.data.count) bytes  \(milliseconds) ms"]
        if verbose { lines += response.headers.map { "\($0.name): \($0.value)" } }
        if !response.data.isEmpty { lines += ["", response.text ?? "(the content is not text)"] }
        Console.write(lines.joined(separator: "\n") + "\n")
    }

    private func showTrace(of request: SimpleRequest) {
        if verbose { Console.write("\n\(request.trace)\n") }
    }
}

/// A header field as it is written on the command line: `Name: value`.
struct HeaderField: ExpressibleByArgument, Sendable {
    let name: String
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        (name, value) = (parts[0], parts[1])
    }
}
