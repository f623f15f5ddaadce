import DemoServer
import Foundation
import Testing

// One after another: each starts programs, and other tests measure time.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct CommandLineTests {
    @Test
    func withoutArgumentsTheTourRuns() async throws {
        let run = try await Run()
        #expect(run.status == 0, "\(run.output)\n\(run.errors)")
        #expect(run.errors == "")
        #expect(!run.output.contains("\u{1B}"))
        let summary = try #require(run.output.split(separator: "\n").last)
        #expect(summary.wholeMatch(of: /15 scenes, 15 as expected, \d+\.\d\d s/) != nil, "\(summary)")
    }

    @Test
    func scenesCanBeChosen() async throws {
        let run = try await Run("tour", "3", "1")
        #expect(run.status == 0)
        #expect(run.output.contains("1. Status handlers") && run.output.contains("2. A first GET"))
        #expect(run.output.contains("2 scenes, 2 as expected, "))
    }

    @Test(arguments: [("reqest", " Did you mean “request”?"), ("serv", " Did you mean “serve”?"), ("film", "")])
    func aMisspeltCommandIsNamed(word: String, meant: String) async throws {
        let run = try await Run(word, ":8080/hello")
        #expect(run.status == 64)
        let commands = "tour, request, download, serve, replay"
        #expect(run.errors.contains("There is no command “\(word)”.\(meant) The commands are \(commands)."))
    }

    @Test
    func theVersionIsThatOfTheLibrary() async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let file = root.appendingPathComponent("Sources/SimpleNetworkingCore/Messages/UserAgent.swift")
            .standardizedFileURL
        let source = try String(contentsOf: file, encoding: .utf8)
        let run = try await Run("--version")
        #expect(run.status == 0)
        #expect(source.contains("libraryVersion = \"\(run.output.trimmingCharacters(in: .whitespacesAndNewlines))\""))
    }

    @Test
    func anUnknownSceneIsAnError() async throws {
        let run = try await Run("tour", "99")
        #expect(run.status == 64)
        #expect(run.errors.contains("There is no scene 99"))
    }

    @Test
    func serveRunsUntilItIsTerminated() async throws {
        let run = try await Run("serve", "--port", "0") { greeting in
            let address = try #require(greeting.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)?.output)
            let asked = try await Run("request", "GET", "\(address)/hello")
            #expect(asked.output.contains("Hello, world!"))
        }
        #expect(run.status == 0)
        #expect(run.output.contains("GET /redirect/:count"))
        #expect(run.output.hasSuffix("Stopped after 1 request."))
    }

    @Test
    func aTakenPortIsAnErrorWithAText() async throws {
        let server = try await DemoServer.start()
        let port = try #require(server.baseURL.port)
        let run = try await Run("serve", "--port", "\(port)")
        #expect(run.status == 1)
        #expect(run.errors.contains("No server could be started at port \(port)"))
        await server.stop()
    }
}
