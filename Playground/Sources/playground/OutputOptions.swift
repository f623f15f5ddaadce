import ArgumentParser
import Foundation
import SimpleNetworking
import SimpleNetworkingTesting

/// What the command says about what it prints.
struct OutputOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Shows what was sent, the header fields, and the trace: what happened when.")
    var verbose = false

    @Flag(name: .shortAndLong, help: "Prints only the content, byte by byte.")
    var body = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Writes the content to a file.", valueName: "file"))
    var output: String?

    @Flag(help: "Prints a command for curl that does the same, secrets included, and sends nothing.")
    var curl = false

    @Option(help: ArgumentHelp("Records the exchange in a cassette, for “playground replay”.", valueName: "file"))
    var record: String?

    private var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    func check() throws {
        if body, verbose { throw ValidationError("Give --body or --verbose, not both.") }
    }

    /// Shows the request, with secrets hidden.
    func showSent(_ request: TransportRequest) {
        guard verbose else { return }
        var lines = [request.head.description] + request.headers.map(\.description)
        switch request.body {
        case .none: break
        case .file(let file): lines += ["", "(the file \(file.lastPathComponent))"]
        default: lines += ["", request.text ?? "(the content is not text)"]
        }
        note(lines.joined(separator: "\n") + "\n\n")
    }

    func show(_ response: SimpleResponse, after time: Duration) throws {
        if let output { try response.data.write(to: URL(fileURLWithPath: output)) }
        if !body { showHead(of: response, after: time) }
        if output == nil { showContent(of: response) }
    }

    private func showHead(of response: SimpleResponse, after time: Duration) {
        let milliseconds = Int((time / .milliseconds(1)).rounded())
        var lines = ["HTTP \(response.httpStatus)  \(response.data.count) bytes  \(milliseconds) ms"]
        if verbose { lines += response.headers.map { "\($0.name): \($0.value)" } }
        note(lines.joined(separator: "\n") + "\n")
    }

    private func showContent(of response: SimpleResponse) {
        if body || !isTerminal { return FileHandle.standardOutput.write(response.data) }
        if response.data.isEmpty { return }
        Console.write(
            "\n" + (JSONIndentation.indented(response.data) ?? response.text ?? "(the content is not text)") + "\n"
        )
    }

    func showTrace(of request: SimpleRequest) {
        if verbose { note("\n\(request.trace)\n") }
    }

    /// Writes what is not content: beside it on a terminal, where another program does not read it elsewhere.
    private func note(_ text: String) { if isTerminal { Console.write(text) } else { Console.complain(text) } }
}
