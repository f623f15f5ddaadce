import ArgumentParser
import Foundation
import SimpleNetworking
import SimpleNetworkingTesting

/// Serves what a cassette has recorded, or lists it.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Serves what a cassette has recorded, at a port of this machine.",
        usage: "playground replay CASSETTE [--port PORT | --list]",
        discussion: """
            Give an app the printed address as its base URL, and it works without the network, always with the same \
            data. A cassette is what the test kit's Cassette or “playground request --record” has written, or an \
            HTTP Archive: the network page of a browser's developer tools saves one as a .har file.

            A request gets the recorded response to the same method, path and query; if no query is the same, to the \
            same method and path. The host doesn't matter. If several were recorded, they come in order, and the \
            last one again and again. Anything else gets 501, with a list of what is recorded. Runs until Control-C.

              playground replay users.json
              playground replay users.har --port 8081
              playground replay users.json --list --verbose
            """
    )

    @Argument(help: "The file: a cassette, or an HTTP Archive whose name ends in .har.")
    var cassette: String

    @Option(help: "The port to listen at; 0 takes any free one.")
    var port: UInt16 = 8080

    @Flag(name: .shortAndLong, help: "Lists what is recorded, and serves nothing.")
    var list = false

    @Flag(name: .shortAndLong, help: "With --list, shows header fields and content as well.")
    var verbose = false

    func run() async throws {
        guard FileManager.default.fileExists(atPath: cassette) else {
            Console.complain("There is no file \(cassette).\n")
            throw ExitCode.failure
        }
        let exchanges = try Cassette(URL(fileURLWithPath: cassette)).exchanges()
        if list { return Console.write(exchanges.map { text(of: $0) + "\n" }.joined()) }
        let replay = Replay(exchanges) { Console.write($0 + "\n") }
        let server = try LoopbackServer(replay.stub, port: port)
        let count = "\(exchanges.count) exchange\(exchanges.count == 1 ? "" : "s")"
        Console.write("\(count) of \(cassette) at \(server.url.absoluteString) until Control-C.\n\n")
        await Interruption.wait()
        server.stop()
    }

    private func text(of exchange: Cassette.Exchange) -> String {
        guard verbose else { return exchange.summary }
        var lines = [exchange.summary]
        func add(_ headers: HTTPHeaders, _ content: String?) {
            lines += headers.map { "    \($0.name): \($0.value)" }
            if let content, !content.isEmpty {
                lines += [""] + content.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
            }
            lines.append("")
        }
        add(exchange.headers, exchange.body)
        if let response = exchange.response {
            lines.append("    HTTP \(response.httpStatus)")
            let content =
                String(data: response.data, encoding: .utf8) ?? "(\(response.data.count) bytes that are no text)"
            add(response.headers, content)
        }
        return lines.joined(separator: "\n")
    }
}

extension Cassette.Exchange {
    /// The request and what came back, in a line.
    var summary: String {
        let end =
            response.map { response in
                let type = response.headers["Content-Type"].map { "  \($0)" } ?? ""
                return "\(response.httpStatus)  \(response.data.count) bytes\(type)"
            } ?? failure.map { "\($0)" } ?? "nothing"
        return "\(method) \(url) → \(end)"
    }
}
