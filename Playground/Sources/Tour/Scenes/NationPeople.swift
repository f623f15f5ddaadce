import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking

/// Signs in to a nation, lists its people, and is signed out when the nation rejects the key.
struct NationPeople: Scene {
    let title = "NationBuilder: sign in, three pages of people, signed out on 401"

    let code = """
        let credential = try await authenticator.authenticate { page in try await browse(page) }
        try await account.begin(with: credential)
        show("signed in as \\(account.name ?? "no user")")
        var page: NationPagination? = NationPagination()
        page?.itemsPerPage = 5
        while let requested = page {
            let response = try await nation.call(.people(), page: requested)
            show("\\(response.value?.count ?? 0) people on page \\(response.pagination?.currentPage ?? 0)")
            page = response.pagination.flatMap { $0.isLastPage ? nil : $0 }
        }
        …
        nation.call(.people()) { result in
            show("the account handles the 401, so this is never called: \\(result)")
        }
        """

    let expected = [
        "signed in as Person No. 1", "5 people on page 1", "5 people on page 2", "2 people on page 3",
        "signed out, and the credential is gone",
    ]

    func play(on stage: Stage) async throws {
        let show = stage.show
        let url = stage.server.baseURL.appendingPathComponent("nation")
        let authenticator = NationAuthenticator(
            baseURL: url,
            clientID: "tour",
            redirectScheme: "tour",
            store: .memory()
        )
        let nation = stage.client { _ in NationBuilder(slug: "demo", authenticator: authenticator) }
        let (signOuts, signedOut) = AsyncStream<Void>.makeStream()
        let account = NationAccount(nation, authenticator) { _ in signedOut.finish() }
        let credential = try await authenticator.authenticate { page in try await browse(page) }
        try await account.begin(with: credential)
        show("signed in as \(account.name ?? "no user")")
        var page: NationPagination? = NationPagination()
        page?.itemsPerPage = 5
        while let requested = page {
            let response = try await nation.call(.people(), page: requested)
            show("\(response.value?.count ?? 0) people on page \(response.pagination?.currentPage ?? 0)")
            page = response.pagination.flatMap { $0.isLastPage ? nil : $0 }
        }
        _ = try await SimpleNetworking(baseURL: url).send(SimpleNetworking.post("/revoke"))
        let request =
            nation.call(.people()) { result in
                show("the account handles the 401, so this is never called: \(result)")
            }
        await stage.end(of: request)
        for await _ in signOuts {}
        show(await authenticator.credential == nil ? "signed out, and the credential is gone" : "still signed in")
    }

    /// Stands in for the browser, where the user would sign in.
    private func browse(_ page: URL) async throws -> URL? {
        let browser = SimpleNetworking(baseURL: page) { $0.redirectPolicy = .never }
        let request = SimpleNetworking.get(page.absoluteString).acceptable(statuses: [302])
        return try await browser.send(request).headers["Location"].flatMap { URL(string: $0) }
    }
}
