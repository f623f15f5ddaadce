import Foundation
import SimpleNetworking

/// The exchanges of a cassette in order, and which of them were played; the cassette protects this value with a lock.
struct CassetteTape {
    enum Step {
        case replay(CassetteExchange)
        case record(slot: Int)
    }

    /// The slot of one exchange.
    private struct Slot {
        /// Nil while the request is in flight, or if its result is unknown.
        var exchange: CassetteExchange?
        /// The request, while it is in flight.
        var asked: CassetteRequest?
        var isConcurrent: Bool
        var isPlayed: Bool
    }

    private let file: URL
    private let mode: Cassette.Mode
    private var isRecording: Bool
    private var slots: [Slot]
    private var secrets = SecretHiding()

    init(_ file: URL, _ mode: Cassette.Mode) throws {
        self.file = file
        self.mode = mode
        let exists = FileManager.default.fileExists(atPath: file.path)
        if mode == .replay, !exists {
            throw CassetteFailure(
                text: "there is no cassette at \(file.path); record it with the mode .record or .auto"
            )
        }
        isRecording = mode == .record || mode == .auto && !exists
        slots = []
        guard !isRecording, exists else { return }
        slots = try CassetteFile.read(file).exchanges.map { exchange in
            Slot(exchange: exchange, isConcurrent: exchange.isConcurrent, isPlayed: false)
        }
    }

    /// Returns the request as it is stored and compared.
    mutating func asked(_ request: TransportRequest) -> CassetteRequest {
        let body = request.body.isStream ? Data() : request.content
        secrets.learn(request.headers, body, url: request.url)
        secrets.learn(knownTo: request.head)
        return CassetteRequest(request, body, secrets)
    }

    /// Decides how to handle the next request.
    mutating func step(_ asked: CassetteRequest) throws -> Step {
        if !isRecording {
            for index in next {
                guard let exchange = slots[index].exchange, exchange.request.isSame(as: asked) else { continue }
                slots[index].isPlayed = true
                return .replay(exchange)
            }
            guard mode == .update else { throw mismatch(asked) }
            isRecording = true
            slots.removeAll { !$0.isPlayed }
        }
        let isConcurrent = slots.contains { $0.asked != nil }
        slots.append(Slot(asked: asked, isConcurrent: isConcurrent, isPlayed: true))
        return .record(slot: slots.count - 1)
    }

    /// The exchanges that may come next: the first unplayed one, and those that were in flight at the same time.
    private var next: [Int] {
        guard let first = slots.firstIndex(where: { !$0.isPlayed }) else { return [] }
        let end = slots[(first + 1)...].firstIndex { !$0.isConcurrent } ?? slots.endIndex
        return (first..<end).filter { !slots[$0].isPlayed }
    }

    mutating func fill(_ slot: Int, with response: CassetteResponse, to request: TransportRequest) {
        secrets.learn(response.headers, response.content)
        end(slot) { CassetteExchange(request: $0, response: response) }
    }

    mutating func fill(_ slot: Int, with failure: NetworkFailure) {
        end(slot) { CassetteExchange(request: $0, failure: failure) }
    }

    /// Notes that a request is no longer in flight, whether or not its result is known.
    mutating func leave(_ slot: Int) { slots[slot].asked = nil }

    private mutating func end(_ slot: Int, _ exchange: (CassetteRequest) -> CassetteExchange) {
        guard let asked = slots[slot].asked else { return }
        var ended = exchange(asked)
        ended.isConcurrent = slots[slot].isConcurrent
        slots[slot].asked = nil
        slots[slot].exchange = ended
    }

    /// Writes all complete exchanges, without the secrets of any of them.
    mutating func save() throws {
        for index in slots.indices { slots[index].exchange?.hide(by: secrets) }
        try CassetteFile(exchanges: slots.compactMap(\.exchange)).write(file)
    }

    /// Short descriptions of the recorded requests that were not made; none while recording.
    var unplayed: [String] {
        isRecording ? [] : slots.filter { !$0.isPlayed }.compactMap { $0.exchange?.request.summary }
    }

    private func mismatch(_ asked: CassetteRequest) -> CassetteFailure {
        let name = file.lastPathComponent
        let number = slots.filter(\.isPlayed).count + 1
        let advice = "if the change is meant, record it with the mode .update"
        let candidates = next.compactMap { slots[$0].exchange?.request.comparison(with: asked) }
        let nearest = candidates.min { left, right in
            left.filter { !$0.isEqual }.count < right.filter { !$0.isEqual }.count
        }
        guard let nearest else {
            let text = "request \(number), \(asked.summary), comes after the last one of \(name); \(advice)"
            return CassetteFailure(text: text)
        }
        let title = candidates.count == 1 ? "the one" : "one of those"
        let lines =
            ["request \(number) is not \(title) that \(name) has:"]
            + Comparison.table(nearest, left: "recorded", right: "request", indent: "  ")
        return CassetteFailure(text: (lines + [advice]).joined(separator: "\n"))
    }
}
