import DemoServer
import Foundation
import Testing

// One after another: each starts programs, and other tests measure time.
/// The help is read and copied from.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct HelpTests {
    @Test(arguments: [[], ["request"], ["download"], ["serve"], ["replay"], ["tour"]])
    func linesFitATerminalOf80ColumnsAndExamplesAreNotBroken(command: [String]) async throws {
        let run = try await Run(command + ["--help"])
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 80 })
        // The rest of a line that was too long.
        let examples = lines.indices.filter { lines[$0].hasPrefix("  playground ") || lines[$0].hasPrefix("  echo ") }
        for index in examples {
            #expect(lines[index + 1].isEmpty || lines[index + 1].hasPrefix("  "), "\(lines[index + 1])")
        }
        if !["serve", "tour"].contains(command.first) { #expect(examples.count >= 3) }
    }

    @Test
    func theExamplesOfRequestWork() async throws {
        let help = try await Run("request", "--help").output
        let server = try await DemoServer.start()
        let folder = try Folder()
        let port = try #require(server.baseURL.port)
        let examples = help.split(separator: "\n").filter {
            $0.hasPrefix("  playground ") || $0.contains("| playground ")
        }
        for example in examples {
            let command = example.replacingOccurrences(of: ":8080", with: ":\(port)")
            let run = try await Run(shell: "cd '\(folder.url.path)'; \(command)")
            let isRefused = command.contains("/status/503")
            #expect(run.status == (isRefused ? 1 : 0), "\(command)\n\(run.output)\n\(run.errors)")
        }
        await server.stop()
        #expect(examples.count == 8)
        #expect(try folder.names == ["hello.json"])
    }
}
