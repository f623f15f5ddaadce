import ArgumentParser
import Foundation

/// The command line: the tour, requests, downloads, and servers to try them with.
struct Playground: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playground",
        abstract: "Try SimpleNetworking: a tour, requests and downloads, a demo server, recorded responses.",
        discussion: """
              playground                            plays the tour
              playground serve                      runs a server to try it with
              playground request :8080/hello        sends it a request
              playground download :8080/hello       downloads to a file
              playground replay users.har           serves what a browser saved
            """,
        version: "1.0.0",
        subcommands: [
            TourCommand.self, RequestCommand.self, DownloadCommand.self, ServeCommand.self, ReplayCommand.self,
        ],
        defaultSubcommand: TourCommand.self
    )
}

@main
enum Program {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let word = arguments.first, isUnknown(word) else { return await Playground.main(arguments) }
        // The tour, which runs where no command is named, would say that it takes numbers.
        let names = Playground.configuration.subcommands.compactMap(\.configuration.commandName)
        let meant = Spelling.nearMiss(of: word, in: names).map { " Did you mean “\($0)”?" } ?? ""
        let error = ValidationError(
            "There is no command “\(word)”.\(meant) The commands are \(names.joined(separator: ", "))."
        )
        Playground.exit(withError: error)
    }

    private static func isUnknown(_ word: String) -> Bool {
        let names = Playground.configuration.subcommands.compactMap(\.configuration.commandName) + ["help"]
        return !word.hasPrefix("-") && Int(word) == nil && !names.contains(word)
    }
}

/// Writes at once, also into a pipe, where `print` would hold the text back.
enum Console {
    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    static func complain(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
