/// Reads `Link` fields as RFC 8288 Appendix B has it: what is not a link is passed over.
///
/// Commas and semicolons mean nothing between `<` and `>`, or in quoted strings.
struct LinkHeaderParser {
    private let bytes: [UInt8]
    private var index = 0
    private static let separators = ByteSet(";,")

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func links() -> [LinkHeader.Link] {
        var links: [LinkHeader.Link] = []
        while skip(to: "<") {
            let start = index
            guard skip(to: ">") else { break }
            let target = text(bytes[start..<(index - 1)])
            links.append(link(to: target))
        }
        return links
    }

    /// Reads the parameters that follow a target, up to the next comma.
    private mutating func link(to target: String) -> LinkHeader.Link {
        var parameters: [String: String] = [:]
        while true {
            _ = read { Self.separators.contains($0) }
            guard index < bytes.count, bytes[index] == UInt8(ascii: ";") else { break }
            index += 1
            let name = text(read { Self.separators.contains($0) || $0 == UInt8(ascii: "=") }).lowercased()
            var value = ""
            if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
                index += 1
                value = parameterValue()
            }
            if !name.isEmpty, parameters[name] == nil { parameters[name] = value }
        }
        let relations = (parameters.removeValue(forKey: "rel") ?? "").lowercased().split { $0 == " " || $0 == "\t" }
        return LinkHeader.Link(target: target, relations: relations.map(String.init), parameters: parameters)
    }

    private mutating func parameterValue() -> String {
        _ = read { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            return text(read { Self.separators.contains($0) })
        }
        index += 1
        var value: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
            value.append(bytes[index])
            index += 1
        }
        index = min(index + 1, bytes.count)
        return String(decoding: value, as: UTF8.self)
    }

    /// Goes behind the next such byte; says whether there is one.
    private mutating func skip(to mark: Unicode.Scalar) -> Bool {
        guard let next = bytes[index...].firstIndex(of: UInt8(ascii: mark)) else { return false }
        index = next + 1
        return true
    }

    /// Gives what comes before a byte that ends it.
    private mutating func read(until isEnd: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }
}
