/// What a style of pagination finds the next page by.
public struct PageAnswer: Sendable {
    /// The answer.
    public let response: SimpleResponse
    /// How many items the page has.
    public let itemCount: Int
    /// How many items the pages before have.
    public let itemsBefore: Int
    /// The page's number among those asked for, from 1.
    public let number: Int
    let fields: [String: String]
    let query: Query

    /// Gives the text, number or truth value that stands in the content at one of the style's fields, as text.
    ///
    /// It is nil for null, for what is missing, and for objects and arrays.
    public subscript(field: String) -> String? { fields[field] }

    /// Gives the decoded value of a name in the query that was asked with; nil if there is none.
    public func asked(_ name: String) -> String? { query.value(of: name) }

    func int(_ field: String?) -> Int? { field.flatMap { fields[$0] }.flatMap { Int($0) } }
}

extension PageAnswer: CustomReflectable {
    /// Shows the answer and the counts to `dump` and debuggers: fields may be links with tokens.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "response": response, "itemCount": itemCount, "itemsBefore": itemsBefore, "number": number,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
