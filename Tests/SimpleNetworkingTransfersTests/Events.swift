import Foundation
import SimpleNetworkingTestSupport

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// The events of a stream, and what ended them.
struct Events: Equatable {
    private(set) var found: [ServerSentEvent] = []
    private(set) var failure: StreamFailure?

    /// What splitter and parser make of chunks.
    init(of chunks: [Data], limit: Int = 1000) {
        var parser = EventStreamParser(limit: limit)
        let lines = Lines(of: chunks, .any, keepsUnfinished: false)
        do throws(StreamFailure) {
            for (index, line) in lines.found.enumerated() {
                if let event = try parser.read(line, number: index + 1) { found.append(event) }
            }
        } catch {
            failure = error
        }
    }

    /// What the standard's own steps make of the whole stream, word for word and with no thought of speed.
    static func inAll(_ bytes: [UInt8]) -> [ServerSentEvent] {
        var stream = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { $0 }
        if stream.first == "\u{FEFF}" { stream.removeFirst() }
        let text = String(String.UnicodeScalarView(stream))
            .replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
        var events: [ServerSentEvent] = []
        var (data, name, lastID) = ("", "", "")
        var retry: TimeInterval?
        for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.isEmpty {
                if !data.isEmpty {
                    let event = name.isEmpty ? "message" : name
                    data.unicodeScalars.removeLast()
                    events.append(ServerSentEvent(event: event, data: data, id: lastID, retry: retry))
                }
                (data, name) = ("", "")
                continue
            }
            let colon = line.firstIndex(of: ":")
            var value = colon.map { line[$0...].dropFirst() } ?? line[line.endIndex...]
            if value.first == " " { value = value.dropFirst() }
            switch String(line[..<(colon ?? line.endIndex)]) {
            case "data": data += String(value) + "\n"
            case "event": name = String(value)
            case "id": lastID = value.contains("\0") ? lastID : String(value)
            case "retry":
                let isNumber = value.allSatisfy { ("0"..."9").contains($0) }
                retry = (isNumber ? Double(String(value)) : nil).map { min($0 / 1000, 2_147_483_648) } ?? retry
            default: break
            }
        }
        return events
    }
}
