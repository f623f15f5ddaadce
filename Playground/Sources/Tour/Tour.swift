import DemoServer
import Foundation

/// Plays scenes against a demo server, one after the other, and reports each while it is played.
public struct Tour: Sendable {
    /// The scenes, in the order in which they are played.
    public let scenes: [any Scene]
    /// How long one scene may take.
    public let limit: Duration
    private let screen: Screen

    /// Makes a tour.
    ///
    /// - Parameters:
    ///   - scenes: The scenes to play. The default is all of them.
    ///   - limit: How long one scene may take. The default is 10 s.
    ///   - screen: Where to report. The default is standard output.
    public init(
        scenes: [any Scene] = Tour.allScenes,
        limit: Duration = .seconds(10),
        screen: Screen = .standardOutput
    ) {
        self.scenes = scenes
        self.limit = limit
        self.screen = screen
    }

    /// All scenes there are.
    public static let allScenes: [any Scene] = [
        FirstGET(), ErrorHandlersInOrder(), StatusHandlersFirst(), HandlersAtHome(), Reauthentication(),
        ExpiredToken(), TwentyAtOnce(), SharedTransfer(), Cancellation(), Redirects(), DeadPort(), AwaitedRequest(),
        TwoFaces(), HumonMap(), NationPeople(),
    ]

    /// Plays all scenes against a server of their own, and ends with a summary.
    ///
    /// - Returns: How each scene went.
    /// - Throws: `StartFailure`, when the server cannot be started.
    public func play() async throws -> [SceneReport] {
        let start = ContinuousClock.now
        let server = try await DemoServer.start()
        screen.open(scenes: scenes.count, server: server.baseURL)
        var reports: [SceneReport] = []
        for (index, scene) in scenes.enumerated() {
            screen.begin(scene, number: index + 1)
            let report = await play(scene, on: server)
            screen.end(report)
            reports.append(report)
        }
        await server.stop()
        screen.close(reports, duration: start.duration(to: .now))
        return reports
    }

    private func play(_ scene: any Scene, on server: DemoServer) async -> SceneReport {
        let (lines, voice) = AsyncStream<Line>.makeStream()
        let audience = Task { [screen] in
            var said: [String] = []
            for await line in lines {
                screen.show(line)
                if line.place != nil { said.append(line.text) }
            }
            return said
        }
        let failure = await failure(of: scene, on: Stage(server: server, show: Voice(lines: voice)))
        voice.finish()
        return SceneReport(
            title: scene.title,
            said: await audience.value,
            expected: scene.expected,
            failure: failure
        )
    }

    /// Plays a scene, within the time limit.
    private func failure(of scene: any Scene, on stage: Stage) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask {
                do {
                    try await scene.play(on: stage)
                    return nil
                } catch {
                    return "It could not be played: \(error)"
                }
            }
            group.addTask { [limit] in
                try? await Task.sleep(for: limit)
                return "It did not end within \(limit)."
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
