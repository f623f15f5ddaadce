import Foundation
import SimpleNetworkingCore

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
        var isOptional = false
        var isPlayed: Bool
    }

    /// Whether the exchanges are those above redirects, cookies and the cache, as older versions recorded them.
    private(set) var isAboveRedirects = false
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
        let content = try CassetteFile.read(file)
        isAboveRedirects = content.isAboveRedirects
        slots = content.exchanges.map { exchange in
            Slot(
                exchange: exchange,
                isConcurrent: exchange.isConcurrent,
                isOptional: exchange.isOptional,
                isPlayed: false
            )
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

    /// The exchanges that may come next: the first unplayed one, those that were in flight at the same time, and those
    /// that need not come at all.
    private var next: [Int] {
        let first = slots.firstIndex { !$0.isPlayed && !$0.isOptional } ?? slots.endIndex
        let rest = slots[min(first + 1, slots.endIndex)...]
        let end = rest.firstIndex { !$0.isConcurrent && !$0.isOptional } ?? slots.endIndex
        return slots[..<end].indices.filter { !slots[$0].isPlayed }
    }

    /// Stores what has arrived: a response, a failure, or a failure after a part of the response.
    mutating func fill(_ slot: Int, with arrival: CassetteArrival, failure: NetworkFailure? = nil) {
        if let response = arrival.response { secrets.learn(response.headers, response.content) }
        guard let asked = slots[slot].asked else { return }
        var exchange = CassetteExchange(request: asked, response: arrival.response, failure: failure)
        exchange.interims = arrival.interims
        exchange.isConcurrent = slots[slot].isConcurrent
        slots[slot].asked = nil
        slots[slot].exchange = exchange
    }

    /// Notes that a request is no longer in flight, whether or not its result is known.
    mutating func leave(_ slot: Int) { slots[slot].asked = nil }

    /// Writes all complete exchanges, without the secrets of any of them.
    mutating func save() throws {
        for index in slots.indices { slots[index].exchange?.hide(by: secrets) }
        let exchanges = slots.compactMap(\.exchange)
        try CassetteFile(exchanges: exchanges, isAboveRedirects: isAboveRedirects).write(file)
    }

    /// Short descriptions of the recorded requests that were not made; none while recording.
    var unplayed: [String] {
        isRecording
            ? [] : slots.filter { !$0.isPlayed && !$0.isOptional }.compactMap { $0.exchange?.request.summary }
    }

    private func mismatch(_ asked: CassetteRequest) -> CassetteFailure {
        let name = file.lastPathComponent
        let number = slots.filter(\.isPlayed).count + 1
        let advice = "if the change is meant, record it with the mode .update"
        let expected = next.filter { !slots[$0].isOptional }
        let candidates = expected.compactMap { slots[$0].exchange?.request.comparison(with: asked) }
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
