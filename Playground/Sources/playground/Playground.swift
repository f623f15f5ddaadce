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
        version: "1.0.0-dev",
        subcommands: [
            TourCommand.self, RequestCommand.self, DownloadCommand.self, ServeCommand.self, ReplayCommand.self,
        ],
        defaultSubcommand: TourCommand.self
    )
}

/// Names an unknown command before the tour, which runs where no command is named, says that it takes numbers.
@main
enum Program {
    private static let commands = Playground.configuration.subcommands.compactMap { $0.configuration.commandName }

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let word = arguments.first, isUnknown(word) { Playground.exit(withError: unknownCommand(word)) }
        await Playground.main(arguments)
    }

    private static func isUnknown(_ word: String) -> Bool {
        !word.hasPrefix("-") && Int(word) == nil && word != "help" && !commands.contains(word)
    }

    private static func unknownCommand(_ word: String) -> ValidationError {
        let meant = Spelling.nearMiss(of: word, in: commands).map { " Did you mean “\($0)”?" } ?? ""
        let list = commands.joined(separator: ", ")
        return ValidationError("There is no command “\(word)”.\(meant) The commands are \(list).")
    }
}

/// Writes at once, also into a pipe, where `print` would hold the text back.
enum Console {
    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    static func complain(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
