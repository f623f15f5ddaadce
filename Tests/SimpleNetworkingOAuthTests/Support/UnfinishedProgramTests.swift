#if os(macOS) || os(Linux)
    import Foundation
    import Testing

    /// A program whose `main` returns while its requests may be in flight.
    @Suite(.timeLimit(.minutes(1)))
    struct UnfinishedProgramTests {
        @Test(arguments: [(1, "1 request was in flight"), (3, "3 requests were in flight")])
        func programThatEndsBeforeItsHandlersRunWarns(count: Int, text: String) async throws {
            let server = try RawServer { _ in .silence }
            let program = try Program("\(count)", server.url().absoluteString, readsErrors: true)
            let line = await program.line()
            let warning = "The program ended while \(text); handlers may not have run."
            #expect(line.hasPrefix("SimpleNetworking warning: \(warning)"))
            #expect(await program.line() == "")
            await program.end()
        }

        @Test
        func programThatWaitsForItsHandlersEndsSilently() async throws {
            let server = try RawServer { _ in .response(body: "ready") }
            let program = try Program("3", server.url().absoluteString, "patient", readsErrors: true)
            #expect(await program.line() == "")
            await program.end()
            #expect(server.requests.count == 3)
        }
    }
#endif
