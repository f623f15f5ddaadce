import Foundation
import Testing

/// Keeps the rooms in order: a room may use only the rooms listed below it.
@Suite
struct ArchitectureTests {
    static let rooms = [
        "Client",
        "Execution",
        "Requests",
        "Authentication",
        "Transport",
        "Observation",
        "Policies",
        "Messages",
        "Options",
    ]

    /// The types of higher rooms that a room may name all the same: a request knows its execution, and both their client.
    static let seams: [String: Set<String>] = [
        "Requests": ["Execution", "SimpleNetworking"], "Execution": ["SimpleNetworking"],
    ]

    private static var paper: String {
        get throws {
            let path = "Sources/SimpleNetworkingCore/Documentation.docc/Architecture.md"
            return try String(contentsOf: SourceFile.package.appendingPathComponent(path), encoding: .utf8)
        }
    }

    private static let files = Result { try SourceFile.all(of: "SimpleNetworkingCore") }
    private static let toolFiles = Result {
        try ["SimpleNetworkingSupport", "SimpleNetworkingFeatureSupport"].flatMap { try SourceFile.all(of: $0) }
    }
    private static let featureFiles = Result { try Manifest().features.flatMap { try SourceFile.all(of: $0) } }
    private let sources: [SourceFile]
    /// The tools below all rooms and those below all features, each in a target of its own.
    private let tools: [SourceFile]
    /// The features above all rooms, each in a target of its own.
    private let features: [SourceFile]
    /// What needs full Foundation, above the rooms.
    private let layer: [SourceFile]

    init() throws {
        sources = try Self.files.get()
        tools = try Self.toolFiles.get()
        features = try Self.featureFiles.get()
        layer = try SourceFile.all(of: "SimpleNetworking")
    }

    @Test
    func roomsAreTheFolders() {
        #expect(Set(sources.map(\.room)) == Set(Self.rooms))
    }

    /// What an execution knows must stay easy to see.
    @Test
    func theStateOfAnExecutionHasAtMost14Fields() throws {
        let file = try #require(sources.first { $0.path == "Execution/Execution.swift" })
        let state = try #require(file.code.firstMatch(of: /struct State \{(.*?)\n    \}/.dotMatchesNewlines()))
        let fields = state.1.matches(of: /\n        (?:let|var) \w+/)
        #expect((5...14).contains(fields.count), "\(fields.count)")
    }

    @Test
    func thePaperNamesTheFoldersOfTheTools() throws {
        let paper = try Self.paper
        for folder in Set(tools.map(\.room)) where folder != "Exports.swift" {
            #expect(paper.contains("| \(folder) |"), "\(folder)")
        }
    }

    @Test
    func eachStepOfARequestIsWhereThePaperSays() throws {
        let steps = try Self.paper.matches(of: /\| (\d+) \| `(\w+)` \| `([\w\/+.]+)` \|/)
        #expect(steps.map { Int($0.1) } == Array(1...11))
        for step in steps {
            let file = sources.first { $0.path == step.3 }
            let code = try #require(file?.code, "\(step.3)")
            #expect(try code.contains(Regex("func \(step.2)\\(")), "\(step.2) in \(step.3)")
        }
    }

    @Test
    func everyFileThatThePaperNamesExists() throws {
        let named = try Self.paper.matches(of: /`(\w+\/[\w\/+.]+\.swift)`/).map { String($0.1) }
        #expect(named.count > 30)
        #expect(Set(named).subtracting(sources.map(\.path)) == [])
    }

    @Test
    func thePaperNamesEachFileOfTheEngineInC() throws {
        let table = try Self.paper.components(separatedBy: "### The files of the engine")[1]
        let named = table.matches(of: /`(\w+\.c)`/).map { String($0.1) }
        #expect(Set(named) == Set(try Self.filesInC.keys.filter { $0.hasSuffix(".c") }))
    }

    /// Others get their turn as an argument, so that the compiler knows who has one.
    @Test
    func onlyTheFilesOfTurnsGiveOne() throws {
        let giving = try Self.filesInC.filter {
            $0.value.contains("engine->turn;") || $0.value.contains("engine->turn->")
        }.keys
        #expect(Set(giving) == ["turn.c", "turn.h"])
    }

    private static var filesInC: [String: String] {
        get throws {
            let folder = SourceFile.package.appendingPathComponent("Sources/CLibcurl")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let files = names.filter { $0.hasSuffix(".c") || $0.hasSuffix(".h") }
            return try Dictionary(
                uniqueKeysWithValues: files.map {
                    ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
                }
            )
        }
    }

    /// A stranger who looks for a file by its name finds one.
    @Test
    func noTwoFilesHaveOneName() throws {
        let products = ["SimpleNetworkingOAuth", "SimpleNetworkingTesting", "SimpleNetworkingTestCases"]
        let others = try products.flatMap { try SourceFile.all(of: $0) }
        let names = (sources + layer + tools + features + others).map { $0.path.split(separator: "/").last ?? "" }
        let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(Set(twice) == ["Exports.swift"])
    }

    /// What a task hands on without a parameter is hard to see: the paper names each.
    @Test
    func thePaperNamesEveryTaskLocal() throws {
        let paper = try Self.paper
        let testKit = try SourceFile.all(of: "SimpleNetworkingTesting")
        for file in sources + tools + features + testKit where file.code.contains("@TaskLocal") {
            let name = file.path.split(separator: "/").last?.dropLast(".swift".count) ?? ""
            #expect(paper.contains("| `\(name)` |"), "\(name)")
        }
    }

    @Test(arguments: [".github/CONTRIBUTING.md", "Sources/SimpleNetworkingCore/Documentation.docc/Architecture.md"])
    func thePapersListTheRoomsInTheSameOrder(paper: String) throws {
        #expect(try Rooms.table(in: paper) == Self.rooms)
    }

    @Test
    func roomsUseOnlyTheRoomsBelow() {
        let rooms = Rooms(Self.rooms, seams: Self.seams)
        #expect(rooms.violations(in: sources) == [])
        #expect(rooms.unusedSeams(in: sources) == [])
    }

    @Test
    func usesOfAHigherRoomAreFound() {
        let files = [
            SourceFile(path: "Top/Roof.swift", text: "struct Roof {}"),
            SourceFile(path: "Top/Wall+Paint.swift", text: "extension Wall {\n    static func paint() {}\n}"),
            SourceFile(path: "Ground/Wall.swift", text: "struct Wall {}\nlet name = Roof.self\nlet work = Wall.paint"),
        ]
        #expect(
            Rooms(["Top", "Ground"]).violations(in: files) == [
                "Ground/Wall.swift must not name Roof of Top", "Ground/Wall.swift must not use .paint, which Top adds",
            ]
        )
        #expect(
            Rooms(["Ground", "Top"]).violations(in: files) == ["Top/Wall+Paint.swift must not name Wall of Ground"]
        )
        let seams = ["Ground": Set(["Roof"]), "Top": ["Floor"]]
        #expect(Rooms(["Top", "Ground"], seams: seams).violations(in: files).count == 1)
        #expect(Rooms(["Top", "Ground"], seams: seams).unusedSeams(in: files) == ["Top: Floor"])
    }

    @Test
    func onlyTransportKnowsAnEngine() {
        let names =
            #/CLibcurl|\bCurl(Transport|Executor|Configuration|Transfer)\b|\bURLSessionTransport\b|\bTaskExecutor\b/#
        let casts = #/\bas[?!] (any )?\w*Transport\b/#
        for file in sources where file.room != "Transport" {
            #expect(!file.code.contains(names), "\(file.path) names an engine")
            #expect(!file.code.contains(casts), "\(file.path) looks for an engine")
        }
    }

    @Test
    func typesHaveOneHomeEach() {
        // Some types of features are there a second time, for code that lacks an import.
        let files = (sources + layer + tools + features).filter { $0.path != "Client/MissingImports.swift" }
        let twice = Dictionary(grouping: files.flatMap(\.types)) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty)
    }

    @Test
    func theEngineAndTheToolsHaveNoPublicSymbol() {
        for file in sources.filter({ $0.room == "Execution" }) + tools {
            #expect(!file.code.contains(#/(?m)^\s*(public|open) /#), "\(file.path)")
        }
    }

    /// All else that features, the module above, the OAuth product and the test kit use of the client is public.
    @Test
    func onlyAFewToolsAreSharedWithinThePackage() {
        // Conformances must be as visible as their protocols.
        let sharing = sources.filter {
            $0.code.contains(/\bpackage (?!var (?:shownText|shownMembers|mirror)\b|static var shownText)/)
        }
        #expect(
            Set(sharing.map(\.path)) == [
                // For what the test kit shows and stores.
                "Messages/Secrets/Redaction+Messages.swift", "Messages/HTTPHeaders+Content.swift",
                "Messages/MediaType.swift", "Messages/NetworkFailure.swift", "Messages/URLs/Origin.swift",
                "Transport/NetworkMiddleware.swift",
                "Transport/TransportRequest.swift", "Transport/TransportRequest+Way.swift",
                "Transport/TransportResponse.swift", "Observation/HandlerRun.swift",
                "Policies/RequestClock.swift",
                // For features: what they may know and do, and how they hide secrets.
                "Execution/Features/Feature.swift", "Execution/Features/Attempt.swift",
                "Execution/Features/RequestOwnerIdentity.swift", "Messages/HTTPHeaders.swift",
                "Messages/SimpleNetworkingError.swift", "Messages/Bodies/RequestBody.swift",
                "Authentication/RefreshScope.swift", "Messages/SharedConformances.swift",
                // For the OAuth product: hides what it sends, retries what a server puts off, checks where it leads, shares
                // a session, and accepts only JSON.
                "Client/SimpleNetworking.swift", "Policies/RetryPolicy.swift", "Policies/RedirectPolicy.swift",
                "Authentication/Authenticator.swift", "Requests/SimpleRequest+Options.swift",
                "Messages/TransientError.swift", "Client/TransientCauses.swift",
                "Messages/AuthenticationFailure.swift",
                // For features: how a request is signed, and where its content comes from.
                "Authentication/BasicAuthenticator.swift", "Requests/SimpleRequest+Body.swift",
                "Messages/Bodies/BodyChunks.swift", "Messages/Bodies/BodySource.swift",
                // For features: what follows a success, and what a response and its request say of it.
                "Requests/FollowUp.swift", "Requests/Handler.swift", "Requests/CallSite.swift",
                "Client/RequestSequence.swift", "Requests/Lineage.swift", "Client/SimpleNetworking+Send.swift",
                "Transport/ResponseSink.swift", "Messages/SimpleResponse.swift", "Messages/Coders.swift",
                // For features: where content goes, what counts once a response is accepted, and what is kept for later.
                "Transport/ResponseDestination.swift", "Execution/Features/ContentStore.swift",
                "Execution/Features/KeptValue.swift", "Execution/Features/Attempt+Parts.swift",
                "Execution/Commit.swift",
                // For the test kit's clock: what a caller awaits.
                "Execution/AwaitedExecution.swift",
                "Requests/SimpleRequest+Specification.swift",
                // For the module above: its engine, and content that is read in pieces.
                "Transport/EngineTransport.swift", "Transport/RefusingTransport.swift", "Client/SessionSource.swift",
                "Client/ClientState.swift",
                "Policies/RedirectChain.swift", "Messages/ProblemDetails.swift", "Messages/Bodies/ContentStream.swift",
                "Messages/Bodies/RequestBody+Length.swift", "Messages/Bodies/StreamReader.swift",
                "Transport/Curl/CurlTransport.swift",
                "Requests/SimpleRequest.swift", "Requests/SimpleRequest+Typed.swift", "Messages/HTTPHeaders.swift",
                "Messages/Bodies/RequestBody.swift",
                "Messages/URLs/Query.swift", "Messages/RequestHead.swift", "Messages/SimpleResponse+Content.swift",
                "Messages/SimpleNetworkingError.swift",
                // For features: what a request waits for, what requests share, and what a client keeps for them.
                "Execution/Features/Attempt+Turn.swift", "Execution/Features/Attempt+Sharing.swift",
                "Execution/Features/RequestTurn.swift", "Execution/Features/ClientService.swift",
                "Execution/Departure/Connection.swift", "Transport/Suspension.swift", "Transport/ResponseSink.swift",
                "Authentication/CredentialGeneration.swift", "Authentication/RefreshLimit.swift",
                "Authentication/RefreshCompletion.swift", "Policies/RetryAfter.swift",
                // For the simulation.
                "Client/Configuration.swift", "Client/SimpleNetworking+Idle.swift", "Observation/EventMonitor.swift",
            ]
        )
    }

    @Test
    func uncheckedConcurrencyIsWhereTheDesignNamesIt() {
        let unchecked = (sources + layer + tools + features).filter { file in
            ["@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency"].contains { file.code.contains($0) }
        }
        #expect(
            Set(unchecked.map(\.path)) == [
                "Client/SimpleNetworking.swift", "Requests/Handler.swift", "Concurrency/Locked.swift",
                // Foundation promises what its older types do not say.
                "Messages/Coders.swift",
                // A C object behind each, with a lock of its own.
                "Transport/Curl/CurlTransfer.swift", "Transport/Curl/CurlTransport.swift",
                // All that it owns is used on its queue.
                "Messages/Bodies/StreamReader.swift",
            ]
        )
    }

    /// One file that imports full Foundation makes a static program on Linux three times as large.
    @Test
    func onlyTheLayerAboveTheCoreImportsFoundation() throws {
        let others = try SourceFile.all(of: "SimpleNetworkingOAuth")
        let importing = (sources + layer + tools + features + others).filter {
            $0.code.contains(/(?m)^\s*(@\w+ )?import Foundation/)
        }
        #expect(Set(importing.map(\.path)) == ["Exports.swift"])
        let exports = try SourceFile.all(of: "SimpleNetworkingSupport").first { $0.path == "Exports.swift" }
        let code = try #require(exports?.code)
        #expect(code.contains(/#else\s+@_exported import Foundation\n#endif/) && code.contains("#if os(Linux)\n"))
        #expect(code.matches(of: /import Foundation\b/).count == 1)
    }

    @Test
    func noFileIsLong() {
        // Only a script reads that one.
        for file in sources + layer + tools + features where file.path != "PublicSuffixes+Table.swift" {
            #expect(file.lineCount <= 250, "\(file.path) has \(file.lineCount) lines")
        }
    }

    @Test
    func nothingIsForcedAndNothingLeftForLater() {
        for file in sources + layer + tools + features {
            #expect(!file.code.contains(/\btry!|\bas!|fatalError\(/), "\(file.path)")
            #expect(!file.text.contains(/TODO|FIXME|XXX/), "\(file.path)")
        }
    }
}
