/// The requests that one request's status handlers set off.
///
/// A handler that answers 401 with a request of its own, which is refused with 401 too, would call itself for ever.
/// Whatever is executed while a status handler runs therefore belongs to the family of that handler's request, and the
/// family has one budget: requests made by status handlers, and the retries of such requests, are counted together.
final class Lineage: Sendable {
    /// What surrounds the code that runs now.
    struct Context: Sendable {
        let family: Lineage
        /// Requests executed by a status handler count; those executed by the success handler of such a request only
        /// belong to the family, so that a renewal may well need several steps.
        let isStatusHandler: Bool
    }

    @TaskLocal
    static var current: Context?

    let limit: Int
    private let spent = Locked(0)

    init(limit: Int) { self.limit = limit }

    /// Takes one request from the budget, or says that there is none left.
    func spend() -> Bool {
        spent.withLock { spent in
            guard spent < limit else { return false }
            spent += 1
            return true
        }
    }

    static func run(in context: Context?, _ work: () -> Void) {
        if context == nil, current == nil { return work() }
        $current.withValue(context, operation: work)
    }
}
