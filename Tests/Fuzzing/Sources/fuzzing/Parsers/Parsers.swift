// The parsers are internal, and visible to other modules in debug builds only.
#if DEBUG
    import ArgumentParser

    /// Gives each of the library's parsers random input, and checks what comes out of it.
    struct Parsers: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Gives parsers random input, and checks the result against the input or a second implementation."
        )

        @Option(help: "How long all targets run together.")
        var seconds = 60.0
        @Option(help: "The seed of the inputs.")
        var seed: UInt64 = 1
        @Option(help: "The name of a target that runs alone.")
        var only: String?
        @Option(help: "The number of an input that is given alone.")
        var number: Int?

        func run() throws {
            let targets = ParserTarget.all.filter { only == nil || $0.name == only }
            guard !targets.isEmpty else {
                throw ValidationError(
                    "There is no such target: \(ParserTarget.all.map(\.name).joined(separator: ", "))"
                )
            }
            for target in targets {
                if let number {
                    try check(target, number)
                    continue
                }
                let end = ContinuousClock.now + .seconds(seconds / Double(targets.count))
                var count = 0
                while ContinuousClock.now < end {
                    try check(target, count)
                    count += 1
                }
                print(target.name.padding(toLength: 16, withPad: " ", startingAt: 0), count)
            }
        }

        private func check(_ target: ParserTarget, _ number: Int) throws {
            do {
                var random = SeededGenerator(seed: seed, path: "\(target.name)/\(number)")
                try target.check(&random)
            } catch let broken as Broken {
                print("\(target.name), input \(number) of seed \(seed): \(broken.text)")
                throw ExitCode(4)
            }
        }
    }

    /// A parser, with what must be true of it for any input.
    struct ParserTarget: Sendable {
        let name: String
        /// Makes an input, has it parsed, and throws ``Broken`` where something is not as it must be.
        let check: @Sendable (inout SeededGenerator) throws -> Void

        static let all = urls + fields + cookies + streams + redirects + caches + cassettes
    }

    /// Tells what is not as it must be.
    struct Broken: Error {
        let text: String
    }

    /// Throws unless something is true.
    func require(_ isTrue: Bool, _ text: @autoclosure () -> String) throws {
        if !isTrue { throw Broken(text: text()) }
    }

    /// Throws unless two texts have the same bytes: canonically equivalent ones are not enough.
    func require(_ found: String?, is expected: String?, _ text: @autoclosure () -> String) throws {
        try require(
            found.map { Array($0.utf8) } == expected.map { Array($0.utf8) },
            "\(text()): \(found.debugDescription), not \(expected.debugDescription)"
        )
    }
#endif
