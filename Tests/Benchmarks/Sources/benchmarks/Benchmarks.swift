import ArgumentParser

/// Compares HTTP clients; `run` starts the server that it needs.
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        subcommands: [Compare.self, Growth.self, Probe.self],
        defaultSubcommand: Compare.self
    )
}
