import ArgumentParser
import Foundation

/// The command line: the tour, a request to any URL, and the demo server.
@main
struct Playground: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playground",
        abstract: "Try SimpleNetworking: a tour, a request to any URL, a demo server.",
        subcommands: [TourCommand.self, RequestCommand.self, ServeCommand.self],
        defaultSubcommand: TourCommand.self
    )
}

/// Writes at once, also into a pipe, where `print` would hold the text back.
enum Console {
    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    static func complain(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
