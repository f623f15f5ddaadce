import ArgumentParser
import Foundation
import SimpleNetworking

/// What commands say about the header fields of a request.
struct FieldOptions: ParsableArguments {
    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp("A header field; may be repeated.", valueName: "name: value")
    )
    var header: [HeaderField] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A parameter of the URL's query; may be repeated.", valueName: "name=value")
    )
    var query: [Pair] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("User and password, for Basic authentication.", valueName: "user:password")
    )
    var auth: String?

    @Option(help: ArgumentHelp("A token, for Bearer authentication.", valueName: "token"))
    var bearer: String?

    func add(to request: SimpleRequest) {
        for field in header { request.header(field.name, field.value) }
        request.query(Query(query.map { ($0.name, $0.value) }))
        if let bearer { request.authenticate(withHeader: "Bearer \(bearer)") }
        if let auth {
            let parts = auth.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            request.authenticateBasic(user: parts[0], password: parts.count > 1 ? parts[1] : "")
        }
    }

    func check() throws {
        if auth != nil, bearer != nil { throw ValidationError("Give --auth or --bearer, not both.") }
    }
}

/// What commands say about retries, time and redirects.
struct NetworkOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How often to send again when the network or the server fails.", valueName: "count"))
    var retry = 0

    @Option(
        help: ArgumentHelp("How long an attempt may take; a download, how long it may pause.", valueName: "seconds")
    )
    var timeout: Double = 60

    @Flag(help: "Shows a redirect instead of following it.")
    var noFollow = false

    func check() throws {
        if retry < 0 { throw ValidationError("--retry takes a count, so 0 or more.") }
        if timeout <= 0 { throw ValidationError("--timeout takes seconds, so more than 0.") }
    }

    /// The URL without path is the client's base URL, so that credentials may be sent there.
    func client(
        for url: URL,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> SimpleNetworking {
        var origin = URLComponents()
        (origin.scheme, origin.host, origin.port) = (url.scheme, url.host, url.port)
        return SimpleNetworking(baseURL: origin.url ?? url) { configuration in
            configuration.timeout = timeout
            if noFollow { configuration.redirectPolicy = .never }
            if retry > 0 { configuration.retryPolicy = RetryPolicy(attempts: retry + 1) }
            configure(&configuration)
        }
    }
}

/// A URL as it is written on the command line, where the scheme and the name of this machine may be left out.
enum TypedURL {
    static func url(of text: String) throws -> URL {
        let isPort = text.hasPrefix(":")
        var whole = text
        if isPort { whole = "http://localhost" + text }
        if !whole.contains("://") {
            let host = whole.prefix { !":/?#".contains($0) }
            whole = (["localhost", "127.0.0.1"].contains(host) ? "http://" : "https://") + whole
        }
        guard let url = URL(string: whole), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else { throw ValidationError("“\(text)” is no http or https URL.") }
        return url
    }
}

/// A header field as it is written on the command line: `Name: value`.
struct HeaderField: ExpressibleByArgument, Sendable {
    let name: String
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        (name, value) = (parts[0], parts[1])
    }
}

/// A name and a value as they are written on the command line: `name=value`.
struct Pair: ExpressibleByArgument, Sendable {
    let name: String
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        (name, value) = (parts[0], parts[1])
    }
}
