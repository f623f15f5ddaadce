import ArgumentParser

/// Compares HTTP clients; `run` starts the server that it needs.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        subcommands: [Compare.self, Probe.self],
        defaultSubcommand: Compare.self
    )
}
