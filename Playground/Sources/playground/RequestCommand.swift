import ArgumentParser
import Foundation
import SimpleNetworking
import SimpleNetworkingTesting

/// Sends one request and shows what came back.
struct RequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Sends a request to any URL, and shows the response.",
        usage: "playground request [METHOD] URL [options]",
        discussion: """
            Prints the status and the content. Ends with 0 if the request succeeded; otherwise with 1, and says why \
            on standard error.

            These work while “playground serve” runs:

              playground request :8080/hello
              playground request DELETE :8080/status/204 --verbose
              playground request :8080/echo --json '{"name": "Ada"}'
              playground request :8080/echo --form name=Ada --form city=London
              playground request :8080/echo -q page=2 -H 'X-Trace: 7' --bearer t0ken
              echo hello | playground request PUT :8080/echo --data @- --body
              playground request :8080/status/503 --retry 2
              playground request :8080/redirect/1 --record hello.json
            """
    )

    @Argument(help: "The method. Without one, it is POST if there is content, and GET if not.")
    var method: String

    @Argument(help: "The URL. Without a scheme it is https, and :8080/x is http://localhost:8080/x.")
    var url: String?

    @OptionGroup(title: "Content to send, one of")
    var content: ContentOptions

    @OptionGroup(title: "Header fields and query")
    var fields: FieldOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    @OptionGroup(title: "Network")
    var network: NetworkOptions

    func validate() throws {
        _ = try target
        try content.check()
        try fields.check()
        try output.check()
        try network.check()
    }

    func run() async throws {
        let (method, url) = try target
        let client = network.client(for: url) { configuration in
            if let record = output.record {
                configuration.middleware = [Cassette(URL(fileURLWithPath: record), mode: .record)]
            }
        }
        let request = SimpleNetworking.request(method, path: url.absoluteString)
        fields.add(to: request)
        if !content.isEmpty { try content.add(to: request) }
        if output.curl { return Console.write(try await request.curl(on: client, showsSecrets: true) + "\n") }
        let start = ContinuousClock.now
        do {
            try output.show(try await client.send(request), after: start.duration(to: .now))
            output.showTrace(of: request)
        } catch let error as SimpleNetworkingError {
            if let response = error.response { try output.show(response, after: start.duration(to: .now)) }
            output.showTrace(of: request)
            Console.complain(error.localizedDescription + "\n")
            throw ExitCode.failure
        }
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private var target: (HTTPMethod, URL) {
        get throws {
            // A single argument is the URL.
            guard let url else {
                if Self.methods.contains(method.uppercased()) { throw ValidationError("Give a URL after \(method).") }
                return (content.isEmpty ? .get : .post, try TypedURL.url(of: method))
            }
            return (HTTPMethod(rawValue: method.uppercased()), try TypedURL.url(of: url))
        }
    }
}

/// What the command says about what it prints.
struct OutputOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Shows the header fields, and the trace: what happened when.")
    var verbose = false

    @Flag(name: .shortAndLong, help: "Prints only the content, byte by byte.")
    var body = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Writes the content to a file.", valueName: "file"))
    var output: String?

    @Flag(help: "Prints a command for curl that does the same, secrets included, and sends nothing.")
    var curl = false

    @Option(help: ArgumentHelp("Records the exchange in a cassette, for “playground replay”.", valueName: "file"))
    var record: String?

    func check() throws {
        if body, verbose { throw ValidationError("Give --body or --verbose, not both.") }
    }

    func show(_ response: SimpleResponse, after time: Duration) throws {
        if let output { try response.data.write(to: URL(fileURLWithPath: output)) }
        if body {
            if output == nil { FileHandle.standardOutput.write(response.data) }
            return
        }
        let milliseconds = Int((time / .milliseconds(1)).rounded())
        var lines = ["HTTP \(response.httpStatus)  \(response.data.count) bytes  \(milliseconds) ms"]
        if verbose { lines += response.headers.map { "\($0.name): \($0.value)" } }
        if !response.data.isEmpty, output == nil { lines += ["", response.text ?? "(the content is not text)"] }
        Console.write(lines.joined(separator: "\n") + "\n")
    }

    func showTrace(of request: SimpleRequest) {
        if verbose { Console.write("\n\(request.trace)\n") }
    }
}
