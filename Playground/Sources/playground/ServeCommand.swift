import ArgumentParser
import DemoServer
import Dispatch
import Foundation

/// Runs the demo server until it is interrupted.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the tour's demo server, for requests of your own."
    )

    @Option(help: "The port to listen at; 0 takes any free one.")
    var port: UInt16 = 8080

    func run() async throws {
        let server = try await DemoServer.start(port: port)
        Console.write("The demo server is at \(server.baseURL.absoluteString) until Control-C.\n\n")
        let width = DemoServer.routes.map(\.pattern.count).max() ?? 0
        for route in DemoServer.routes {
            Console.write(
                "  " + route.pattern.padding(toLength: width + 2, withPad: " ", startingAt: 0) + route.summary + "\n"
            )
        }
        await Interruption.wait()
        await server.stop()
        let count = await server.log.lines.count
        Console.write("\nStopped after \(count) request\(count == 1 ? "" : "s").\n")
    }
}

/// Waits for Control-C, or for a polite `kill`.
enum Interruption {
    static func wait() async {
        let (signals, arrived) = AsyncStream<Void>.makeStream()
        let sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before the source receives the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { arrived.finish() }
            source.resume()
            return source
        }
        for await _ in signals {}
        for source in sources { source.cancel() }
    }
}
