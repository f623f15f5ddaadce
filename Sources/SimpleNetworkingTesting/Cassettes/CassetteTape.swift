import Foundation
import SimpleNetworking

/// The exchanges of a cassette, in order, and the position of the next: a value that its cassette locks.
struct CassetteTape {
    enum Step {
        case replay(CassetteExchange)
        case record(slot: Int)
    }

    private let file: URL
    private let mode: Cassette.Mode
    private var isRecording: Bool
    private var slots: [CassetteExchange?]
    private var position = 0
    private var secrets = SecretHiding()

    init(_ file: URL, _ mode: Cassette.Mode) throws {
        (self.file, self.mode) = (file, mode)
        let exists = FileManager.default.fileExists(atPath: file.path)
        if mode == .replay, !exists {
            throw CassetteFailure(
                description: "there is no cassette at \(file.path); record it with the mode .record or .auto"
            )
        }
        isRecording = mode == .record || mode == .auto && !exists
        slots = []
        if !isRecording, exists { slots = try CassetteFile.read(file).exchanges }
    }

    /// The request as it is stored and compared.
    mutating func asked(_ request: TransportRequest) -> CassetteRequest {
        let body = request.body.isStream ? Data() : request.content
        secrets.learn(request.headers, body, url: request.url)
        secrets.learn(knownTo: request.head)
        return CassetteRequest(request, body, secrets)
    }

    /// Says what happens to the next request.
    mutating func step(_ asked: CassetteRequest) throws -> Step {
        if !isRecording {
            let recorded = position < slots.count ? slots[position] : nil
            if let recorded, recorded.request.isSame(as: asked) {
                position += 1
                return .replay(recorded)
            }
            guard mode == .update else { throw mismatch(asked, recorded?.request) }
            isRecording = true
            slots.removeSubrange(min(position, slots.count)...)
        }
        position += 1
        slots.append(nil)
        unfilled[slots.count - 1] = asked
        return .record(slot: slots.count - 1)
    }

    private var unfilled: [Int: CassetteRequest] = [:]

    mutating func fill(_ slot: Int, with response: CassetteResponse, to request: TransportRequest) {
        secrets.learn(response.headers, response.content)
        guard let asked = unfilled.removeValue(forKey: slot) else { return }
        slots[slot] = CassetteExchange(request: asked, response: response)
    }

    mutating func fill(_ slot: Int, with failure: NetworkFailure) {
        guard let asked = unfilled.removeValue(forKey: slot) else { return }
        slots[slot] = CassetteExchange(request: asked, failure: failure)
    }

    /// Writes all exchanges that are complete, without the secrets of any of them.
    mutating func save() throws {
        for index in slots.indices { slots[index]?.hide(by: secrets) }
        try CassetteFile(exchanges: slots.compactMap(\.self)).write(file)
    }

    /// The recorded requests that were not made, in short; none while recording.
    var unplayed: [String] {
        isRecording ? [] : slots.dropFirst(position).compactMap { $0?.request.summary }
    }

    private func mismatch(_ asked: CassetteRequest, _ recorded: CassetteRequest?) -> CassetteFailure {
        let name = file.lastPathComponent
        let advice = "If the change is meant, record it with the mode .update."
        guard let recorded else {
            let text = "request \(position + 1), \(asked.summary), comes after the last one of \(name). \(advice)"
            return CassetteFailure(description: text)
        }
        let lines =
            ["request \(position + 1) is not the one that \(name) has:"]
            + Comparison.table(recorded.comparison(with: asked), left: "recorded", right: "request", indent: "  ")
        return CassetteFailure(description: (lines + [advice]).joined(separator: "\n"))
    }
}
