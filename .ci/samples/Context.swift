// What the samples take from their reader: values, types and methods of a program of theirs.
public import SimpleNetworking

public struct User: Codable, Sendable, Equatable {
    public var id: Int
    public var name: String

    public init(id: Int, name: String) { (self.id, self.name) = (id, name) }
}

public struct Person: Codable, Sendable {
    public var name: String
}

public struct Photo: Codable, Sendable {
    public var size: Int
}

public struct Problem: Codable, Sendable {
    public var title: String
}

public struct Refusal: Error {
    public init(reason: String) {}
}

public final class Browser: Sendable {
    public func open(_ page: URL) async throws -> URL? { nil }
}

@MainActor
public struct LoginScreen {
    public init() {}
    public func token() async throws -> String { "" }
}

public let api = SimpleNetworking(host: "api.example.com")
public let accounts = SimpleNetworking(host: "accounts.example.com")
public let nation = SimpleNetworking(host: "sample.nationbuilder.com/api/v1")
public let browser = Browser()
public let savedToken = Secret("a")

public let url = URL(fileURLWithPath: "/")
public let (dockerURL, issuer, proxyURL, redirect, redirectURI) = (url, url, url, url, url)
public let (file, film, folder, photo) = (url, url, url, url)
public let (name, text, password, orderID) = ("Ada", "tea", "open sesame", "7")
public let (image, thumbnail) = (Data(), Data())

public func audit(_ line: String, _ outcome: Result<SimpleResponse, SimpleNetworkingError>) {}
public func offer(_ title: String, _ message: String, _ tap: @escaping () -> Void) {}
public func openInBrowser(_ page: URL) async {}
public func sign(_ url: URL) async throws -> String { "" }
public func signIn(_ done: @escaping @Sendable ((any Error)?) -> Void) {}

/// Combine's type, for samples that are compiled on Linux.
public final class Future<Output, Failure: Error> {
    public init(_ fulfill: @escaping (@escaping (Result<Output, Failure>) -> Void) -> Void) {}
}

/// Combine's type, for samples that are compiled on Linux.
public final class Deferred<Publisher> {
    public init(createPublisher: @escaping () -> Publisher) {}
}

extension SimpleNetworking {
    /// The method of a user of the original library.
    public func authenticate(_ done: @escaping () -> Void) {}
    public func signIn() async throws {}
    public func signIn(_ done: @escaping @Sendable ((any Error)?) -> Void) {}
}
