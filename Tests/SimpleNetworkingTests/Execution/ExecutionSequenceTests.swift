import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// Walks all sequences of events through `ExecutionState`, and checks each against an oracle that knows only the
/// guarantees.
///
/// `SIMPLENETWORKING_STORMS=1` walks two or three events further.
@Suite(.timeLimit(.minutes(15)))
struct ExecutionSequenceTests {
    @Test(arguments: [false, true], [false, true])
    func everySequenceEndsOnceWithItsHandlersInOrder(decodesValue: Bool, keepsFile: Bool) async {
        let walk = await withCheckedContinuation { continuation in
            // A thread of its own: other tests need those of Swift's pool, which are few.
            DispatchQueue(label: "walk").async {
                // There are more events with a file.
                var walk = Walk(depth: Storm.size(6, full: keepsFile ? 8 : 9))
                walk.go(from: World(decodesValue: decodesValue, keepsFile: keepsFile))
                continuation.resume(returning: walk)
            }
        }
        #expect(walk.violation == nil)
        #expect(walk.sequences > Storm.size(50_000, full: 100_000), "\(walk.sequences) to depth \(walk.depth)")
    }
}

/// A walk in depth; it stops at the first violated guarantee.
private struct Walk {
    let depth: Int
    var sequences = 0
    var violation: String?

    init(depth: Int) { self.depth = depth }

    mutating func go(from world: World, _ steps: Int = 0) {
        sequences += 1
        guard steps < depth else { return }
        for event in world.events where violation == nil {
            var next = world
            guard next.take(event) else { continue }
            if let broken = next.oracle.broken ?? next.lostEnd {
                violation = "\(broken): \(next.trail.map { "\($0)" }.joined(separator: ", "))"
            } else {
                go(from: next, steps + 1)
            }
        }
    }
}

/// Lists what may happen to an execution.
///
/// A hand is an object that stands for the request: 0 is the caller's.
private enum Event: Equatable {
    case start, respond(Int), noResponse, decode(Bool)
    case returns(Bool, keeps: Bool)
    case execute, retry(hand: Int), retryLater(hand: Int), fail(hand: Int), succeed(hand: Int), stop(hand: Int)
    /// Succeeds with the response that the request itself has.
    case accept(hand: Int)
    case deliver(Bool), commit(Bool)
    case wake, cancel, deadline, add
    case release(hand: Int)

    /// The object that a call is made on, if it is one that a handler got.
    var handle: Int? {
        switch self {
        case .retry(let hand), .retryLater(let hand), .fail(let hand), .succeed(let hand), .stop(let hand),
            .accept(let hand):
            hand == 0 ? nil : hand
        default: nil
        }
    }
}

/// The guarantees, without the implementation.
private struct Oracle {
    private(set) var broken: String?
    private var ends = 0
    private var finishes = 0
    private var isStopped = false
    private var atStatus: [Int] = []
    private var atOutcome: [Int] = []
    private var isSuccess = false
    private let keepsFile: Bool
    private var file = File.none

    /// What has become of the content that a success must move to its file.
    private enum File { case none, held, moving, moved }

    mutating func begin() { self = Oracle(keepsFile, broken: broken) }
    mutating func holds() {
        if file != .none { broken = "two contents are held for one file" }
        file = .held
    }
    mutating func drops() {
        if file != .held { broken = "content is dropped that was not held" }
        file = .none
    }
    mutating func moves() {
        if file != .held { broken = "content is moved that was not held" }
        if ends > 0 { broken = "content is moved after the end" }
        file = .moving
    }
    mutating func hasMoved(_ outcome: Outcome) {
        if file != .moving { broken = "content was moved twice" }
        file = .moved
        sees(outcome)
    }
    mutating func sees(_ outcome: Outcome) {
        ends += 1
        (isStopped, isSuccess) = (outcome.isStop, (try? outcome.get()) != nil)
        if keepsFile, isSuccess, file != .moved { broken = "it succeeds without its file" }
        if file == .moving { broken = "it ends while its file is moved" }
        if ends > 1 { broken = "it ends twice" }
    }
    mutating func newResult() { atStatus = [] }
    /// A handler that was added late is told of the end that was told before.
    mutating func finish() {
        finishes += 1
        if ends != 1 { broken = "it finishes with \(ends) ends" }
        if file == .held { broken = "content is held after the end" }
    }
    var isUnfinished: Bool { finishes == 0 }
    mutating func runs(atStatus number: Int) {
        if ends > 0 { broken = "a status handler runs after the end" }
        if let last = atStatus.last, last >= number { broken = "status handlers run out of order" }
        atStatus.append(number)
    }
    mutating func runs(_ kind: HandlerRun.Kind, _ number: Int) {
        if ends == 0 { broken = "a handler of the outcome runs before the end" }
        if kind == .success ? !isSuccess : kind == .error && (isSuccess || isStopped) {
            broken = "the wrong handler runs"
        }
        // Completion handlers run last; those that were added late have higher numbers anyway.
        if let last = atOutcome.last, last >= number { broken = "handlers of the outcome run out of order" }
        atOutcome.append(number)
    }
    /// A handler's object was used, which it got in one execution, and has changed another.
    mutating func acts(in execution: Int, of own: Int) {
        if execution != own { broken = "an object of an earlier execution changes a later one" }
    }
    /// The object of a handler that runs was used after the end.
    mutating func begins(_ isNext: Bool) { if isNext { broken = "a running status handler begins a new execution" } }
    /// The execution was stopped, and nothing else may be its outcome.
    mutating func expectStop() { if ends == 0 || !isStopped { broken = "false does not stop" } }

    init(_ keepsFile: Bool, broken: String? = nil) {
        self.keepsFile = keepsFile
        self.broken = broken
    }
}

/// An execution with the world around it: what the engine would do for it, and what a user may do to it.
private struct World {
    private final class Token: Sendable {}
    private static let tokens = (0..<12).map { _ in Token() }
    private static let request = RequestHead(method: .get, url: URL(fileURLWithPath: "/"))

    private(set) var trail: [Event] = []
    private(set) var oracle: Oracle
    private let keepsFile: Bool
    private var state: ExecutionState
    private let handlers: [Handler]
    /// The step whose handler has not returned yet.
    private var step: (action: ExecutionState.Action, round: Int)?
    private var isTransferring = false
    /// Whether the response of `succeed(with:)` is being delivered.
    private var isDelivering = false
    /// Whether a timer is to call `execute(request:)`.
    private var hasTimer = false
    /// The execution in which a handler got each of the objects.
    private var owners: [Int: Int] = [:]
    /// The objects that stand for the request, by number, with the round in which a handler got them.
    private var hands: [Int: Int?] = [0: nil]
    private var nextHand = 1
    private var given: Int?
    /// Whether the handler that runs has ended the execution itself.
    private var knowsOfEnd = false
    private var executions = 1
    private var added = 0

    init(decodesValue: Bool, keepsFile: Bool) {
        self.keepsFile = keepsFile
        oracle = Oracle(keepsFile)
        func handler(_ kind: HandlerRun.Kind, _ line: UInt, _ body: Handler.Body) -> Handler {
            Handler(kind, body, at: CallSite("", line))
        }
        handlers = [
            handler(.error, 1, .error({ _, _ in })),
            handler(.status([404]), 2, .status({ _, _ in true })),
            decodesValue ? handler(.success, 3, .value({ _ in nil })) : handler(.success, 3, .success({ _ in })),
            handler(.status([404]), 4, .status({ _, _ in true })),
            handler(.noResponse, 5, .noResponse({ _, _ in true })),
            handler(.error, 6, .error({ _, _ in })),
            handler(.completion, 7, .completion({ _ in })),
        ]
        state = ExecutionState(holder: ObjectIdentifier(Self.tokens[0]))
    }

    var events: [Event] {
        var events: [Event] = [.cancel, .deadline, .add, .execute]
        if state.phase == .submitted || executions == 1 { events.append(.start) }
        if hasTimer { events.append(.wake) }
        if isTransferring { events += [.respond(200), .respond(404), .noResponse] }
        switch step?.action {
        case .decode: events += [.decode(true), .decode(false)]
        case .commit: events += [.commit(true), .commit(false)]
        case .decide:
            events += [.returns(true, keeps: false), .returns(false, keeps: false), .returns(false, keeps: true)]
        case .some: events.append(.returns(true, keeps: false))
        case nil: break
        }
        if isDelivering { events += [.deliver(true), .deliver(false)] }
        for hand in hands.keys.sorted() {
            if keepsFile { events.append(.accept(hand: hand)) }
            events += [.retry(hand: hand), .fail(hand: hand), .succeed(hand: hand), .stop(hand: hand)]
            if hand != 0 { events.append(.retryLater(hand: hand)) }
            if hand != given { events.append(.release(hand: hand)) }
        }
        return events
    }

    /// Nothing would ever continue an execution that has not ended.
    var lostEnd: String? {
        guard step == nil, !isTransferring, !isDelivering, !(hasTimer && state.phase == .submitted) else { return nil }
        switch state.phase {
        case .submitted, .takenOver:
            let isHeld = hands.keys.contains { state.holder == ObjectIdentifier(Self.tokens[$0]) }
            return isHeld ? nil : "its end is lost"
        case .ended: return oracle.isUnfinished ? "its end is lost" : nil
        case .running, .handling, .deciding, .committing, .ending: return "its end is lost"
        }
    }

    /// Returns false where nothing was changed.
    mutating func take(_ event: Event) -> Bool {
        trail.append(event)
        let execution = executions
        let hasNext = state.next != nil
        let unaware = knowsOfEnd ? nil : given
        guard change(event) else { return false }
        if let hand = event.handle, hand == unaware { oracle.begins(state.next != nil && !hasNext) }
        if let hand = event.handle, let own = owners[hand] { oracle.acts(in: execution, of: own) }
        drop()
        deliver()
        return true
    }

    private mutating func drop() { if state.phase == .submitted, state.commit.take() != nil { oracle.drops() } }

    private mutating func hold(isProvided: Bool = false) {
        if state.hold(Commit({}, orDrop: {}), of: state.round, isProvided: isProvided) { oracle.holds() }
    }

    private static func response(isDelivered: Bool) -> SimpleResponse {
        var parts = ResponseParts(status: 200, headers: [:], body: Data(), metrics: TransferMetrics())
        parts.isDelivered = isDelivered
        return SimpleResponse(request: request, parts: Boxed(parts), attempt: 1, acceptableStatuses: .successful)
    }

    private func name(_ hand: Int) -> ObjectIdentifier { ObjectIdentifier(Self.tokens[hand]) }

    private mutating func change(_ event: Event) -> Bool {
        let response = SimpleResponse(request: Self.request)
        switch event {
        case .start: return follow(state.start(limit: 1))
        case .respond(let status):
            if keepsFile, status == 200 { hold() }
            let response = SimpleResponse(request: Self.request, httpStatus: status)
            return receive(.response(response, status == 200 ? nil : .clientError(response)))
        case .noResponse: return receive(.failure(.timedOut(.attempt(1), Self.request)))
        case .decode(let isDecodable):
            guard let current = step, case .decode(let index, _) = current.action else { return false }
            let failure = SimpleNetworkingError.decoding(
                .init(type: Int.self, underlying: CancellationError()),
                response
            )
            let handler = handlers[index].with(.success({ _ in }))
            state.queue.setDecoded(
                isDecodable ? .success(handler) : .failure(failure),
                at: index,
                generation: current.round
            )
            step = nil
        case .returns(let continues, let keeps): returns(continues, keeps)
        case .execute:
            guard hands[0] != nil else { return false }
            return follow(state.execute(by: name(0), round: nil, limit: 1), isFresh: true)
        case .retry(let hand):
            return follow(state.retry(by: name(hand), round: hands[hand] ?? nil, limit: 1), isFresh: false)
        case .retryLater(let hand):
            let retry = state.retry(by: name(hand), round: hands[hand] ?? nil, limit: 1, after: 1)
            return follow(retry, isFresh: false, after: 1)
        case .wake:
            hasTimer = false
            return state.wake() ? follow(state.start(limit: 1)) : false
        case .fail(let hand): return end(.failure(.cancelled(nil)), by: hand)
        case .stop(let hand): return end(.failure(.stopped(nil, nil)), isSilent: true, by: hand)
        case .succeed(let hand), .accept(let hand):
            guard state.refusal(round: hands[hand] ?? nil) == nil else { return false }
            let provided = Self.response(isDelivered: event == .accept(hand: hand))
            let destination = keepsFile ? ContentDestination.other(DownloadFile(url: Self.request.url)) : .memory
            let needsDelivery = state.needsDelivery(of: provided, to: destination)
            guard let isUndecided = state.decide(on: provided, needsDelivery: needsDelivery) else { return false }
            return isUndecided || end(.success(provided), by: hand)
        case .deliver(let isPossible):
            isDelivering = false
            guard state.isDelivering else { return false }
            guard isPossible else { return end(.failure(.cancelled(nil))) }
            hold(isProvided: true)
            state.receive(provided: Self.response(isDelivered: true))
        case .commit(let isPossible):
            step = nil
            let outcome: Outcome = isPossible ? .success(response) : .failure(.cancelled(nil))
            state.settle(outcome)
            oracle.hasMoved(outcome)
        case .cancel:
            let outcome = Outcome.failure(.cancelled(nil))
            guard state.cancel(outcome) else { return false }
            oracle.sees(outcome)
            state.fill(handlers)
        case .deadline: return end(.failure(.timedOut(.deadline(1), Self.request)))
        case .add:
            guard added < 2 else { return false }
            added += 1
            let number = UInt(10 + added)
            _ = state.add(Handler(.completion, .completion({ _ in }), at: CallSite("", number)))
        case .release(let hand):
            hands[hand] = .none
            if state.isLost(by: name(hand)) { return end(.failure(.abandoned(nil, nil))) }
        }
        return true
    }

    // MARK: What the engine does

    private mutating func deliver() {
        while step == nil, let action = state.step() {
            switch action {
            case .end(let outcome): _ = end(outcome)
            case .finish:
                oracle.finish()
                _ = state.queue.removeAll()
                guard let next = state.next else { break }
                begin(isFresh: next.isFresh, after: next.delay)
            case .decode: step = (action, state.queue.generation)
            case .decide(let index, _):
                oracle.runs(atStatus: Int(state.queue.handler(at: index).line))
                knowsOfEnd = false
                step = (action, state.round)
                (given, hands[nextHand], owners[nextHand]) = (nextHand, .some(state.round), executions)
                nextHand += 1
            case .conclude(let index, _, _):
                let handler = state.queue.handler(at: index)
                oracle.runs(handler.kind, Int(handler.line))
                step = (action, state.round)
            case .drop: oracle.drops()
            case .deliver: isDelivering = true
            case .commit:
                oracle.moves()
                step = (action, state.round)
            case .tell, .decideFollowUp, .follow, .refuse, .undecodable: break
            }
            drop()
        }
    }

    private mutating func returns(_ continues: Bool, _ keeps: Bool) {
        guard let (action, round) = step else { return }
        step = nil
        guard case .decide = action, let hand = given else { return }
        given = nil
        let mayStop = state.phase == .handling && state.round == round
        if !continues, state.takeOver(by: keeps ? name(hand) : nil, round: round) {
            _ = end(.failure(.stopped(nil, nil)), isSilent: true)
        }
        if !continues, !keeps, mayStop { oracle.expectStop() }
        if !keeps { _ = change(.release(hand: hand)) }
    }

    private mutating func receive(_ result: AttemptResult) -> Bool {
        isTransferring = false
        if state.receive(result) { oracle.newResult() }
        return true
    }

    private mutating func end(_ outcome: Outcome, isSilent: Bool = false, by hand: Int? = nil) -> Bool {
        if let hand, state.refusal(round: hands[hand] ?? nil) != nil { return false }
        guard state.end(outcome, isSilent: isSilent) else { return false }
        if hand == given {
            state.isHandlerUnaware = false
            knowsOfEnd = true
        }
        oracle.sees(outcome)
        state.fill(handlers)
        return true
    }

    private mutating func follow(_ start: ExecutionState.Decision) -> Bool {
        switch start {
        case .proceed:
            state.fill(handlers)
            isTransferring = true
        case .queue: break
        case .begin:
            guard begin(isFresh: true) else { return false }
            return follow(state.start(limit: 1))
        case .endAtLimit, .endAtDeadline, .endCancelled: return end(.failure(.cancelled(nil)))
        case .ignore: return false
        }
        return true
    }

    private mutating func follow(
        _ submission: ExecutionState.Decision,
        isFresh: Bool,
        after delay: Double = 0
    ) -> Bool {
        switch submission {
        case .proceed:
            if delay > 0 { hasTimer = true }
            return true
        case .queue: return true
        case .begin: return begin(isFresh: isFresh, after: delay)
        case .endAtLimit, .endAtDeadline, .endCancelled: return end(.failure(.cancelled(nil)))
        case .ignore: return false
        }
    }

    @discardableResult
    private mutating func begin(isFresh: Bool, after delay: Double = 0) -> Bool {
        guard executions < 3, let hand = hands.keys.min(), state.next == nil || state.takeNext() else { return false }
        executions += 1
        let holder = name(hand)
        state =
            isFresh
            ? ExecutionState(holder: holder, after: state.round)
            : ExecutionState(holder: holder, following: state, after: delay)
        isTransferring = false
        isDelivering = false
        if delay > 0 { hasTimer = true }
        oracle.begin()
        return true
    }
}

extension Outcome {
    fileprivate var isStop: Bool { if case .failure(.stopped) = self { true } else { false } }
}
