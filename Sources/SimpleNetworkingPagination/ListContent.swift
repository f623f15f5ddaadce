import SimpleNetworkingSupport

/// Decodes the list in a body together with other fields, using any decoder.
///
/// For the paths of fields, see ``PaginationStyle``.
struct ListContent<Item: Decodable>: Decodable {
    let items: [Item]
    let fields: [String: ListField]

    init(items: [Item], fields: [String: ListField]) {
        self.items = items
        self.fields = fields
    }

    init(from decoder: any Decoder) throws {
        let (path, names) = ListField.wanted
        let content = ContentPlace.content(decoder)
        var fields: [String: ListField] = [:]
        for name in names { fields[name] = content.place(at: name[...]).map(ListField.init) }
        self.fields = fields
        // Null is an empty list; a missing field is an error.
        if let path {
            let place = try content.requiredPlace(at: path)
            items = place.isNull ? [] : try place.decode([Item].self)
        } else {
            items = try [Item](from: decoder)
        }
    }
}

/// The value of a field that describes other pages.
enum ListField: Sendable, Equatable {
    /// Null, or an empty object or array, which is how some languages write it.
    case null
    case boolean(Bool)
    /// A string or a number.
    case text(String)
    /// An object or an array.
    case other

    /// The field that holds the list, or nil if the list is the whole body, and the other fields to decode.
    ///
    /// The value is task-local, because a decoder can't pass on parameters.
    @TaskLocal
    static var wanted: (items: String?, fields: [String]) = (nil, [])

    init(_ place: ContentPlace) {
        if place.isNull {
            self = .null
        } else if let text = try? place.decode(String.self) {
            self = .text(text)
        } else if let truth = try? place.decode(Bool.self) {
            self = .boolean(truth)
        } else if let number = place.number {
            self = .text(number)
        } else {
            self = place.isEmpty ? .null : .other
        }
    }

    /// The value as a string, if it is a string, number or Boolean.
    var text: String? {
        switch self {
        case .text(let text): text
        case .boolean(let truth): String(truth)
        case .null, .other: nil
        }
    }
}
