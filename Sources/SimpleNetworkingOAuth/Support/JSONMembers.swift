import SimpleNetworkingSupport

/// Reads a JSON object whose members may have other types than the specification requires.
///
/// Numbers are also read as text, and text as numbers, flags and lists. A member that can't be read counts as missing,
/// so that a member that isn't needed never fails the whole document.
struct JSONMembers: Decodable {
    private indirect enum Value: Decodable {
        case text(String)
        /// A number, and its digits if it is an integer.
        case number(Double, digits: String?)
        case flag(Bool)
        case list([Value])
        case object(JSONMembers)
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number, digits: Self.digits(in: container))
            } else if decoder.codingPath.count > JSONMembers.maxDepth {
                self = .other
            } else if let list = try? container.decode([Value].self) {
                self = .list(list)
            } else if let object = try? container.decode(JSONMembers.self) {
                self = .object(object)
            } else {
                self = .other
            }
        }

        /// Reads an integer exactly, because it may be an identifier of more digits than `Double` has.
        private static func digits(in container: any SingleValueDecodingContainer) -> String? {
            if let number = try? container.decode(Int64.self) { return String(number) }
            return (try? container.decode(UInt64.self)).map { String($0) }
        }

        var text: String? {
            switch self {
            case .text(let text): text.isEmpty ? nil : text
            case .number(_, let digits): digits
            default: nil
            }
        }
    }

    /// The depth below which objects and lists are not read, because each level takes space on the stack.
    private static let maxDepth = 3

    private let values: [String: Value]

    /// Reads a document; nil if it isn't a JSON object.
    init?(_ data: Data) {
        guard let members = try? JSONDecoder().decode(JSONMembers.self, from: data) else { return nil }
        self = members
    }

    init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: Value].self)
    }

    /// Creates an object of text members.
    init(_ texts: [String: String]) { values = texts.mapValues { .text($0) } }

    /// The members that are text or integers, as text.
    var texts: [String: String] { values.compactMapValues(\.text) }

    /// Returns text, or an integer as text; nil if it is empty.
    func text(_ name: String) -> String? { values[name]?.text }

    /// Returns text that isn't a number; nil if it is empty.
    func string(_ name: String) -> String? {
        if case .text(let text) = values[name], !text.isEmpty { text } else { nil }
    }

    /// Returns a finite number, which may be sent as text.
    func number(_ name: String) -> Double? {
        let number: Double? =
            switch values[name] {
            case .number(let number, _): number
            case .text(let text): Double(text[...].trimmed)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns a number of seconds, up to a century because dates overflow; nil if it is negative.
    func seconds(_ name: String) -> TimeInterval? {
        number(name).flatMap { $0 >= 0 ? min($0, 100 * 365 * 86_400) : nil }
    }

    /// Returns a flag, which may be sent as text or as 0 or 1.
    func flag(_ name: String) -> Bool? {
        switch values[name] {
        case .flag(let flag): flag
        case .text(let text): ["true": true, "false": false][text.lowercased()]
        case .number(let number, _): number == 1 ? true : number == 0 ? false : nil
        default: nil
        }
    }

    /// Returns the texts in a list, or the words of a text.
    func list(_ name: String) -> [String]? {
        if case .list(let values) = values[name] { return values.compactMap(\.text) }
        return text(name).map { $0.split(separator: " ").map(String.init) }
    }

    /// Returns an absolute URL with a host.
    func url(_ name: String) -> URL? {
        guard let url = string(name).flatMap({ URL(string: $0[...].trimmed(of: .blanks)) }),
            url.scheme != nil, url.host?.isEmpty == false
        else { return nil }
        return url
    }

    /// Returns an object, or the first object in a list.
    func object(_ name: String) -> JSONMembers? {
        switch values[name] {
        case .object(let object): object
        case .list(let values):
            values.lazy.compactMap { if case .object(let object) = $0 { object } else { nil } }.first
        default: nil
        }
    }
}
