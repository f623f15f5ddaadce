/// Programs that compute without end, one for each core, as on a machine that does other work.
struct Neighbors {
    private let processes: [Process]

    init() throws {
        processes = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
            try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "while :; do :; done"])
        }
    }

    func stop() {
        for process in processes { process.terminate() }
    }
}
