import ArgumentParser
import Foundation
import SimpleNetworking
import SimpleNetworkingTransfers

/// Downloads to a file, and shows how far it is.
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Downloads a URL to a file, and resumes a download that was interrupted.",
        usage: "playground download URL [--output FILE] [options]",
        discussion: """
            Shows a progress bar; where the output is no terminal, a line for each tenth. Control-C stops the \
            download and ends with 130. What has arrived stays in FILE.partial, and the same command requests only \
            the rest, if the server has said which version it sent (by a strong ETag or a date) and still has it; \
            otherwise it starts over.

            The file appears when it is complete. Ends with 0 then; otherwise with 1, and says why on standard error.

              playground download https://example.com/film.mp4
              playground download https://example.com/film.mp4 -o film.mp4 --retry 5
              playground download :8080/hello --output hello.json --force
            """
    )

    @Argument(help: "The URL. Without a scheme it is https, and :8080/x is http://localhost:8080/x.")
    var url: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file. Without one, it is named like the end of the URL's path.", valueName: "file")
    )
    var output: String?

    @Flag(help: "Replaces a file that is there.")
    var force = false

    @OptionGroup(title: "Header fields and query")
    var fields: FieldOptions

    @OptionGroup(title: "Network")
    var network: NetworkOptions

    func validate() throws {
        _ = try TypedURL.url(of: url)
        try fields.check()
        try network.check()
    }

    func run() async throws {
        let url = try TypedURL.url(of: url)
        let file = URL(fileURLWithPath: output ?? Self.name(for: url))
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) {
            guard !isFolder.boolValue else { throw ValidationError("\(file.path) is a folder; --output takes a file.") }
            guard force else {
                throw ValidationError("\(file.lastPathComponent) is there already. Give --force to replace it.")
            }
        }
        let request = SimpleNetworking.get(url.absoluteString)
        fields.add(to: request)
        let progress = ProgressReport(isTerminal: isatty(STDOUT_FILENO) == 1, write: Console.write)
        request.on(isolation: nil, progress: { progress.show($0) })
        let client = network.client(for: url)
        let download = Task { try await client.download(for: request, to: file).response }
        let interruption = Task {
            await Interruption.wait()
            download.cancel()
        }
        defer { interruption.cancel() }
        do {
            let response = try await download.value
            // A further attempt continues what this run has begun.
            let range = response.attempt > 1 ? nil : response.headers["Content-Range"]?.firstMatch(of: /bytes (\d+)-/)
            progress.end("Saved \(file.lastPathComponent)", resumedAt: range.flatMap { Int($0.1) })
        } catch is CancellationError {
            progress.stop("Stopped. The same command continues with what is missing.")
            throw ExitCode(130)
        } catch let error as SimpleNetworkingError {
            progress.stop(nil)
            Console.complain(error.localizedDescription + "\n")
            throw ExitCode.failure
        }
    }

    /// The end of the path, without what a file system could take for another folder or a hidden file.
    private static func name(for url: URL) -> String {
        let name = url.lastPathComponent.replacingOccurrences(of: "/", with: "_")
            .trimmingCharacters(in: .controlCharacters)
        return name.isEmpty || name == "_" ? "download" : name.hasPrefix(".") ? "_" + name : name
    }
}
