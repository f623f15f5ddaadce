import ArgumentParser

/// Sends requests to a server that replies with anything, or with everything a server may reply with, and counts the
/// ends.
@main
struct Fuzzing: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzzing",
        subcommands: [Replies.self, Requests.self, Serve.self]
    )
}
