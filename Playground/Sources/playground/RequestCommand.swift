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
            Prints the status and the content, JSON indented. Where the output is no terminal, it is the content \
            alone, unchanged, and the status goes to standard error. Ends with 0 if the request succeeded; \
            otherwise with 1, and says why on standard error.

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
    var method: String?

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
        // What can't be sent fails below.
        if let sent = try? await client.makeRequest(for: request) { output.showSent(sent) }
        let start = ContinuousClock.now
        do {
            try output.show(try await client.send(request), after: start.duration(to: .now))
            output.showTrace(of: request)
        } catch let error as SimpleNetworkingError {
            if let response = error.response { try output.show(response, after: start.duration(to: .now)) }
            output.showTrace(of: request)
            // It was asked for.
            if network.noFollow, let status = error.httpStatus, (300..<400).contains(status) { return }
            Console.complain(error.localizedDescription + "\n")
            throw ExitCode.failure
        }
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private var target: (HTTPMethod, URL) {
        get throws {
            guard let method else { throw ValidationError("The URL is missing: playground request :8080/hello") }
            // A single argument is the URL.
            guard let url else {
                if Self.methods.contains(method.uppercased()) {
                    throw ValidationError("The URL is missing. Give a URL after \(method).")
                }
                return (content.isEmpty ? .get : .post, try TypedURL.url(of: method))
            }
            let word = method.uppercased()
            if let meant = Spelling.nearMiss(of: word, in: Self.methods) {
                throw ValidationError("“\(method)” is no method. Did you mean \(meant)?")
            }
            return (HTTPMethod(rawValue: word), try TypedURL.url(of: url))
        }
    }
}
