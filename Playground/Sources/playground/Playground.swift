import ArgumentParser
import Foundation

/// The command line: the tour, requests, downloads, and servers to try them with.
@main
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
        subcommands: [
            TourCommand.self, RequestCommand.self, DownloadCommand.self, ServeCommand.self, ReplayCommand.self,
        ],
        defaultSubcommand: TourCommand.self
    )
}

/// Writes at once, also into a pipe, where `print` would hold the text back.
enum Console {
    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    static func complain(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
