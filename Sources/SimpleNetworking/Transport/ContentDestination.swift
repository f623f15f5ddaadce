/// Says where the content of a success goes.
enum ContentDestination: Sendable {
    case memory
    case file(URL)
    /// To somebody who takes it piece by piece; the second closure says whether a further attempt may still begin anew.
    case receiver(@Sendable (ResponsePart) async throws -> Void, canBeginAgain: @Sendable () -> Bool)

    var isMemory: Bool { if case .memory = self { true } else { false } }

    var canBeginAgain: Bool { if case .receiver(_, let canBeginAgain) = self { canBeginAgain() } else { true } }
}
