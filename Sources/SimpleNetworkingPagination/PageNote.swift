import SimpleNetworkingSupport

/// Says that another page was requested.
///
/// For each page, attempts are counted from 1 again.
public struct PageNote: RequestNote, Hashable {
    /// The page's position among the requested pages; the first page has no note.
    public let number: Int

    /// Creates a note, to compare with.
    public init(number: Int) { self.number = number }

    /// `page` and the number.
    public var description: String { "page \(number)" }
}

extension RequestEvent.Kind {
    /// Returns the event of another page's request.
    public static func page(number: Int) -> RequestEvent.Kind { .note(PageNote(number: number)) }
}

extension HandlerRun.Kind {
    /// A page.
    package static var page: HandlerRun.Kind { .followUp("page") }
}
