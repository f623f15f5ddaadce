import ArgumentParser

/// Sends requests to a server that replies with anything, or with everything a server may reply with, and counts the
/// ends; gives parsers random input.
@main
struct Fuzzing: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzzing",
        subcommands: subcommands
    )

    private static var subcommands: [any ParsableCommand.Type] {
        #if DEBUG
            [Replies.self, Requests.self, Serve.self, Codings.self, Conversations.self, Floods.self, Parsers.self]
        #else
            [Replies.self, Requests.self, Serve.self, Codings.self, Conversations.self, Floods.self]
        #endif
    }
}
