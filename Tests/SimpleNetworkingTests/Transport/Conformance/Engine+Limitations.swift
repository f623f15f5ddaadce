/// Names what some engine cannot do: all of it stands in the table below, and a test asserts what happens instead.
enum Limitation: String, CaseIterable, Codable, Sendable {
    case asterisks
    case bareRequests
    case compressedProgress
    case contentOfRedirects
    case contentWithGet
    case cookielessSessions
    case cookiesWithCommas
    case cutHeaderBlocks
    case endlessRedirects
    case expectations
    case fieldsWithoutBlank
    case hugeLengths
    case ipv6Literals
    case latin1Fields
    case limitWhileReceiving
    case malformedFields
    case ownTimeouts
    case pieces
    case repeatedFields
    case sizesOfStreams
    case slowReaders
    case spelling
    case statusesWithoutReason
    case switchedProtocols
    case timesOfTransfer
    case toldResends
    case trailers
    case unknownCodings
    case writtenURLs
}

extension Limitation {
    struct Row: Sendable {
        let engines: Set<Engine>
        let platforms: Platforms
        /// Why the engine cannot do it, and what it does instead.
        let reason: String
    }

    enum Platforms { case all, linux }

    var row: Row {
        switch self {
        case .asterisks:
            Row(.sessions, .all, "URLSession has no way to send a target that is no path: it sends /*.")
        case .bareRequests:
            Row(.sessions, .all, "URLSession adds fields of its own to every request: User-Agent and the like.")
        case .compressedProgress:
            Row(.sessions, .all, "Foundation shows decompressed content only: it counts at its end, by its length.")
        case .contentOfRedirects:
            Row([.callersSession], .linux, "A redirect that is not followed comes without its content.")
        case .contentWithGet:
            Row(.sessions, .all, "URLSession refuses to load a GET that has content; the engine says so first.")
        case .cookielessSessions:
            Row([.callersSession], .linux, "Foundation sends a session's own cookies though the request declines them.")
        case .cookiesWithCommas:
            Row(.sessions, .all, "Set-Cookie fields come joined: “, name=” in a value is taken for another one.")
        case .cutHeaderBlocks:
            Row(.sessions, .linux, "A server that closes within the header block ends the process: fatalError.")
        case .endlessRedirects:
            Row(.sessions, .linux, "Foundation says nothing of a redirect before its content ends.")
        case .expectations:
            Row(.sessions, .linux, "Foundation's libcurl repeats a 417 without end: content is sent without asking.")
        case .fieldsWithoutBlank:
            Row(.sessions, .linux, "Foundation rejects a field without a blank behind its colon: malformedResponse.")
        case .hugeLengths:
            Row(.sessions, .linux, "A Content-Length that is 2^63 as a Double ends the process: Int64(_: Double).")
        case .ipv6Literals:
            Row(.sessions, .linux, "Foundation takes the brackets for a bad address: invalidURL that names IPv6.")
        case .latin1Fields:
            Row(.sessions, .linux, "Foundation reads fields as UTF-8 only, and fails otherwise: malformedResponse.")
        case .limitWhileReceiving:
            Row([.callersSession], .all, "Content is handed over as a whole: an endless one ends at the timeout.")
        case .malformedFields:
            Row(.sessions, .all, "Foundation has its own mind about which lines are status lines and fields.")
        case .ownTimeouts:
            Row(.sessions, .all, "URLSession knows no total time, on Linux no fractions either: the client counts.")
        case .pieces:
            Row([.callersSession], .all, "Content is handed over as a whole, at the end: to a stream, too.")
        case .repeatedFields:
            Row(.sessions, .all, "URLRequest and HTTPURLResponse join fields of one name with a comma.")
        case .sizesOfStreams:
            Row([.callersSession], .linux, "Foundation counts what is sent for delegates only: of a stream nothing.")
        case .slowReaders:
            Row(.sessions, .linux, "Nothing holds a server back: content not taken yet is kept in memory, all of it.")
        case .spelling:
            Row(.sessions, .all, "Foundation spells field names its own way, and upper-cases get, post and the like.")
        case .statusesWithoutReason:
            Row(.sessions, .linux, "Foundation needs a blank behind the status: malformedResponse.")
        case .switchedProtocols:
            Row(.sessions, .linux, "Foundation takes a 101 for one more informational response: connectionLost.")
        case .timesOfTransfer:
            Row(.sessions, .linux, "Foundation collects no metrics: total, first byte and sizes are the engine's own.")
        case .toldResends:
            Row(.sessions, .all, "Foundation does not tell when it sends a request again.")
        case .trailers:
            Row(.sessions, .linux, "Fields behind chunked content end the process: fatalError.")
        case .unknownCodings:
            Row(.sessions, .linux, "Foundation's libcurl refuses a coding that it does not know: malformedResponse.")
        case .writtenURLs:
            Row(.sessions, .all, "Foundation's URL encodes brackets, braces, bars and lone percent signs.")
        }
    }
}

extension Limitation.Row {
    fileprivate init(_ engines: Set<Engine>, _ platforms: Limitation.Platforms, _ reason: String) {
        self.init(engines: engines, platforms: platforms, reason: reason)
    }
}

extension Set<Engine> {
    fileprivate static var sessions: Self { Engine.sessions }
}

extension Engine {
    func lacks(_ limitation: Limitation) -> Bool {
        #if canImport(Darwin)
            guard limitation.row.platforms == .all else { return false }
        #endif
        return limitation.row.engines.contains(self)
    }
}
