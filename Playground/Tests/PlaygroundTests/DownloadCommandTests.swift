import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Subprocess
import Testing

// One after another: each starts programs, and other tests measure time.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct DownloadCommandTests {
    /// One MiB in which no two places are alike.
    private static let content = Data(
        (0..<1 << 18).flatMap { number in withUnsafeBytes(of: UInt32(number), Array.init) }
    )
    private var film: Data { Self.content }
    private let stub = StubTransport()

    /// Serves the film: all of it, or the range that is requested if it is of the same version.
    private func serveFilm(_ version: String = "\"1\"", stopsAfter count: Int? = nil, on other: StubTransport? = nil) {
        (other ?? stub).on(.get, "/film.mp4") { [film] request in
            let headers: HTTPHeaders = ["ETag": version, "Content-Type": "video/mp4"]
            guard let range = request.headers["Range"]?.firstMatch(of: /bytes=(\d+)-/), let start = Int(range.1),
                request.headers["If-Range"] == version
            else {
                guard let count else { return StubResponse(headers: headers, body: film) }
                let length = HTTPHeaders(fields: headers + [.init("Content-Length", "\(film.count)")])
                return .pieces(.data(film.prefix(count)), .silence, headers: length)
            }
            var part = headers
            part["Content-Range"] = "bytes \(start)-\(film.count - 1)/\(film.count)"
            return StubResponse(status: 206, headers: part, body: film.dropFirst(start))
        }
    }

    @Test
    func aFileIsDownloadedAndItsProgressIsWrittenLineByLine() async throws {
        serveFilm()
        let (server, folder) = (try LoopbackServer(stub), try Folder())
        let run = try await Run(shell: "cd '\(folder.url.path)'; playground download '\(server.url)/film.mp4?a=b'")
        #expect(run.status == 0 && run.errors == "")
        #expect(try Data(contentsOf: folder.file("film.mp4")) == film)
        let lines = run.output.split(separator: "\n")
        #expect(!run.output.contains("\r") && lines.count <= 12)
        #expect(lines.dropLast().allSatisfy { $0.contains("% ") && $0.contains(" of 1.0 MiB") })
        let last = try #require(lines.last)
        #expect(last.wholeMatch(of: /Saved film\.mp4: 1\.0 MiB in [\d.]+ s\./) != nil, "\(last)")
    }

    @Test(arguments: [("\"1\"", true), ("\"2\"", false)])
    func whatControlCInterruptsIsResumedByteExactUnlessItHasChanged(version: String, isResumed: Bool) async throws {
        let (server, folder) = (try LoopbackServer(stub), try Folder())
        let file = folder.file("film.mp4")
        let arguments = ["download", "\(server.url)/film.mp4", "--output", file.path]
        serveFilm(stopsAfter: 512 << 10)
        let first = try await Run(arguments, sending: .interrupt, after: { $0.contains("50 %") })
        #expect(first.status == 130)
        #expect(first.output.hasSuffix("Stopped. The same command continues with what is missing."))
        #expect(try folder.names == ["film.mp4.partial", "film.mp4.partial.json"])
        #expect(try Data(contentsOf: folder.file("film.mp4.partial")) == film.prefix(512 << 10))

        // The server of the second run has no rule of the first one.
        let next = StubTransport()
        serveFilm(version, on: next)
        let port = server.port
        server.stop()
        var other: LoopbackServer?
        while other == nil {
            other = try? LoopbackServer(next, port: port)
            await Task.yield()
        }
        let second = try await Run(arguments)
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.output.contains("of which 512.0 KiB were there before.") == isResumed, "\(second.output)")
        #expect(try folder.names == ["film.mp4"])
        #expect(try Data(contentsOf: file) == film)
        #expect(next.requests.first?.headers["Range"] == "bytes=524288-")
        #expect(next.requests.count == 1)
    }

    @Test
    func aConnectionThatBreaksIsRetriedAndResumed() async throws {
        stub.on(.get, "/film.mp4", StubResponse(headers: ["ETag": "\"1\""], body: film).cut(after: 700_000), times: 1)
        serveFilm()
        let (server, folder) = (try LoopbackServer(stub), try Folder())
        let file = folder.file("film.mp4")
        let run = try await Run("download", "\(server.url)/film.mp4", "-o", file.path, "--retry", "1")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Data(contentsOf: file) == film)
        #expect(stub.requests.map { $0.headers["Range"] } == [nil, "bytes=700000-"])
    }

    @Test
    func aFileThatIsThereIsReplacedOnlyIfForced() async throws {
        serveFilm()
        let (server, folder) = (try LoopbackServer(stub), try Folder())
        let file = folder.file("film.mp4")
        try Data("mine".utf8).write(to: file)
        let refused = try await Run("download", "\(server.url)/film.mp4", "-o", file.path)
        #expect(refused.status == 64 && refused.errors.contains("--force"))
        #expect(try Data(contentsOf: file) == Data("mine".utf8) && stub.requests.isEmpty)
        let forced = try await Run("download", "\(server.url)/film.mp4", "-o", file.path, "--force")
        #expect(forced.status == 0)
        #expect(try Data(contentsOf: file) == film)
        let folderRefused = try await Run("download", "\(server.url)/film.mp4", "-o", folder.url.path, "--force")
        #expect(folderRefused.status == 64 && folderRefused.errors.contains("is a folder"))
    }

    @Test
    func aRefusalIsAnErrorAndLeavesNoFile() async throws {
        stub.on("/film.mp4", .text("not yours", status: 403))
        let (server, folder) = (try LoopbackServer(stub), try Folder())
        let run = try await Run("download", "\(server.url)/film.mp4", "-o", folder.file("film.mp4").path)
        #expect(run.status == 1 && run.errors.contains("was refused with status 403") && run.output == "")
        #expect(try folder.names.isEmpty)
    }

    @Test(arguments: [("/a%2Fb", "a_b"), ("/.profile", "_.profile"), ("/", "download"), ("/x/..%2F..%2Fy", "_.._.._y")])
    func theNameOfTheFileStaysInTheFolder(path: String, name: String) async throws {
        stub.on("*", .text("content"))
        let (server, folder) = (try LoopbackServer(stub), try Folder())
        let run = try await Run(shell: "cd '\(folder.url.path)'; playground download '\(server.url)\(path)'")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try folder.names == [name])
    }

    #if os(Linux)
        /// The program of Linux that gives another one a terminal.
        private static let hasTerminal = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

        @Test(.enabled(if: hasTerminal))
        func aTerminalGetsABarThatChangesInPlace() async throws {
            let half = film.count / 2
            // All at once, it might need no bar.
            stub.on(
                "/film.mp4",
                .pieces(
                    .data(film.prefix(half)),
                    .delay(1),
                    .data(film.suffix(film.count - half)),
                    headers: ["Content-Length": "\(film.count)"]
                )
            )
            let (server, folder) = (try LoopbackServer(stub), try Folder())
            let file = folder.file("film.mp4")
            let command = "\(Run.programPath) download \(server.url)/film.mp4 -o \(file.path)"
            let run = try await Run(shell: "script -qec 'stty cols 60; \(command)' /dev/null")
            #expect(run.status == 0)
            #expect(try Data(contentsOf: file) == film)
            let frames = run.output.split(separator: "\r\n").flatMap { $0.split(separator: "\r") }
            let bars = frames.filter { $0.hasPrefix("[") }
            #expect(!bars.isEmpty && bars.allSatisfy { $0.count == 59 }, "\(run.output)")
            #expect(bars.last?.contains("#] 100 %") == true)
            #expect(frames.last?.hasPrefix("Saved film.mp4: 1.0 MiB in ") == true)
        }
    #endif
}
