import ArgumentParser

/// The command line: the tour, a request to any address, and the demo server.
@main
struct Playground: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playground",
        abstract: "Try SimpleNetworking: a tour, a request to any address, a demo server.",
        subcommands: [TourCommand.self, RequestCommand.self, ServeCommand.self],
        defaultSubcommand: TourCommand.self
    )
}
