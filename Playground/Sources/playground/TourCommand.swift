import ArgumentParser
import Tour

/// Plays the scenes of the tour.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Shows in \(Tour.allScenes.count) scenes what the client does, against a server of its own.",
        discussion: "Ends with 0 if every scene went as expected. Colours are left out when NO_COLOR is set."
    )

    @Argument(help: "The numbers of the scenes to play; all of them if none is given.")
    var scenes: [Int] = []

    func validate() throws {
        let known = 1...Tour.allScenes.count
        for number in scenes where !known.contains(number) {
            throw ValidationError("There is no scene \(number); they are numbered from 1 to \(known.upperBound).")
        }
    }

    func run() async throws {
        let chosen = scenes.isEmpty ? Tour.allScenes : scenes.map { Tour.allScenes[$0 - 1] }
        let reports = try await Tour(scenes: chosen).play()
        if !reports.allSatisfy(\.isAsExpected) { throw ExitCode.failure }
    }
}
