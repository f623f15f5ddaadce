#if os(Linux)
    import Foundation
    import SimpleNetworkingTesting
    import Testing
    @testable import SimpleNetworkingCore

    /// The file that the table is written to; nil where it isn't asked for.
    private let tableFile = ProcessInfo.processInfo.environment["SIMPLENETWORKING_MATRIX"]

    /// Every fault, with every face of the library and every engine; alone, since it counts what the process has open.
    ///
    /// `SIMPLENETWORKING_MATRIX=1` runs it, and another value names the file that the table is written to.
    @Suite(.serialized, .enabled(if: tableFile != nil), .timeLimit(.minutes(15)))
    struct FaultMatrixTests {
        /// A request whose limit is half a second has ended by then, even on a busy machine.
        private static let patience = Duration.seconds(20)

        @Test
        func everyFaultEndsOnceWithItsErrorAndLeavesNothing() async throws {
            var table = FaultTable()
            // What the first requests of a process open stays, and what TLS and large content need once.
            let first = ["unknown host", "no TLS", "endless content"]
            for engine in Engine.allCases {
                let faults = MatrixFault.all.filter { first.contains($0.name) }
                for fault in [MatrixFault("no fault", .response(), "")] + faults {
                    _ = try await Self.row(fault, engine)
                }
            }
            let files = try Self.temporaryFiles()
            for fault in MatrixFault.all {
                for engine in Engine.allCases where !fault.endsTheProcess(engine) {
                    let before = ProcessUsage()
                    let heap = ProcessUsage.heap
                    let cells = try await Self.row(fault, engine)
                    for face in MatrixFace.allCases {
                        let cell = try #require(cells[face])
                        #expect(
                            cell.end == .init(count: 1, error: fault.expected(face, engine)),
                            "\(fault.name), \(face), \(engine)"
                        )
                        #expect(
                            cell.duration < Self.patience,
                            "\(fault.name), \(face), \(engine) took \(cell.duration)"
                        )
                        #expect(
                            cell.files.isEmpty || face == .download && cell.end.error.isEmpty,
                            "\(fault.name), \(engine): \(cell.files)"
                        )
                        table.set(cell.end.error, fault, face, engine)
                    }
                    let after = try await Self.usage(within: before)
                    #expect(after.isWithin(before), "\(fault.name), \(engine): \(before), then \(after)")
                    // A cell with endless content that kept what it read would keep a megabyte.
                    let kept = ProcessUsage.heap - heap
                    #expect(heap > 0 && kept < 800_000, "\(fault.name), \(engine) kept \(kept) bytes")
                }
            }
            #expect(try Self.temporaryFiles().subtracting(files) == [])
            #expect(table.count > 500)
            if let file = tableFile, file != "1" {
                try table.text.write(toFile: file, atomically: true, encoding: .utf8)
            }
        }

        private struct Cell: Sendable {
            var end: MatrixFace.End
            var duration: Duration
            var files: [String]
        }

        /// All faces at once, with a client and a server of their own.
        private static func row(_ fault: MatrixFault, _ engine: Engine) async throws -> [MatrixFace: Cell] {
            let world = try MatrixWorld(fault)
            let transport = try engine.transport()
            let client = SimpleNetworking(baseURL: world.url) {
                $0.transport = transport
                $0.logger = .quiet
                $0.timeout = fault.timeout
                $0.deadline = fault.deadline
                $0.maxResponseSize = 1 << 20
                $0.retryPolicy = .never
            }
            defer { world.stop() }
            return try await withinSeconds(120) {
                await withTaskGroup(of: (MatrixFace, Cell).self, returning: [MatrixFace: Cell].self) { group in
                    var cells: [MatrixFace: Cell] = [:]
                    for face in MatrixFace.allCases {
                        group.addTask { (face, await Self.cell(face, client)) }
                        if fault.isPlayedOneFaceAtATime, let (face, cell) = await group.next() { cells[face] = cell }
                    }
                    for await (face, cell) in group { cells[face] = cell }
                    return cells
                }
            }
        }

        private static func cell(_ face: MatrixFace, _ client: SimpleNetworking) async -> Cell {
            let folder = ScratchFolder()
            try? FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            let start = ContinuousClock.now
            let end = await face.send(on: client, folder: folder.url)
            let duration = start.duration(to: .now)
            var files = Self.files(in: folder)
            // A download that the deadline ended removes its file when the transfer has ended, too.
            for _ in 0..<500 where !files.isEmpty && !end.error.isEmpty {
                try? await Task.sleep(for: .milliseconds(10))
                files = Self.files(in: folder)
            }
            return Cell(end: end, duration: duration, files: files)
        }

        private static func files(in folder: ScratchFolder) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? ["?"]
        }

        /// Waits for threads and connections to end, which take a moment.
        private static func usage(within before: ProcessUsage) async throws -> ProcessUsage {
            for _ in 0..<500 {
                let now = ProcessUsage()
                if now.isWithin(before) { return now }
                try await Task.sleep(for: .milliseconds(10))
            }
            return ProcessUsage()
        }

        private static func temporaryFiles() throws -> Set<String> {
            let folder = FileManager.default.temporaryDirectory.path
            return Set(
                try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("SimpleNetworking-") }
            )
        }
    }

    /// Where a fault happens.
    private final class MatrixWorld: Sendable {
        let url: URL
        private let server: RawServer?
        private let greeter: GreetingServer?
        private let port: Int32?

        init(_ fault: MatrixFault) throws {
            var (server, greeter, port): (RawServer?, GreetingServer?, Int32?) = (nil, nil, nil)
            switch fault.place {
            case .reply(let reply):
                let started = try RawServer { _ in reply }
                (server, url) = (started, started.url("/"))
            case .plainServer:
                let started = try GreetingServer("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                (greeter, url) = (started, try #require(URL(string: "https://127.0.0.1:\(started.port)/")))
            case .closedPort:
                let bound = try Socket.bound()
                (port, url) = (bound.socket, try #require(URL(string: "http://127.0.0.1:\(bound.port)/")))
            case .unknownHost: url = try #require(URL(string: "http://no-such-host.invalid/"))
            }
            (self.server, self.greeter, self.port) = (server, greeter, port)
        }

        func stop() {
            server?.stop()
            if let port { Socket.close(port) }
        }
    }
#endif
