/// What only full Foundation does, in programs that have it.
///
/// On Linux, these modules use FoundationEssentials alone, which lacks the old text encodings and Foundation's classes.
/// The module `SimpleNetworking`, which uses full Foundation, extends ``Platform`` with these methods.
package protocol FoundationBridge: Sendable {
    /// Returns text in an encoding, by its Core Foundation number; nil if the bytes aren't valid in the encoding.
    static func text(of data: Data, encoding number: UInt) -> String?
    /// Returns what a Foundation object is in Swift: text, an array, a dictionary, nil, or a number as JSON.
    static func plain(_ object: Any) -> PlainObject?
}

/// A Foundation object as Swift's own values.
package enum PlainObject {
    case null
    case text(String)
    /// A number as JSON; nil if JSON can't represent it.
    case number(String?)
    case list([Any])
    /// A dictionary; nil if its keys aren't text.
    case object([String: Any]?)
}

/// Carries what other modules of the package add to this one.
///
/// The modules add it by a conformance, which Swift finds while the program runs: no call has to come first.
package enum Platform: Sendable {
    /// Full Foundation; nil in a program without the module `SimpleNetworking`.
    static let foundation = Platform.self as Any.Type as? any FoundationBridge.Type
}
