import Foundation
import SimpleNetworking
import SimpleNetworkingCookies
import SimpleNetworkingCore
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import Testing

/// The client's types, beside own ones with the same names.
struct OwnNameTests {
    @Test("The client's names can be written beside own types with these names")
    func membersAreTheClientsTypes() async throws {
        let stub = StubTransport().on("/page", .json(#"{"title": "Door"}"#))
        let client = Library(host: "api.example.com") { $0.transport = stub }
        let query: SimpleNetworkingCore.Query = [("page", "2")]
        let request: SimpleNetworkingCore.Request<Page> = .get("/page", query: [("page", "2")])
        let response: SimpleNetworkingCore.Response<Page> = try await client.send(request)

        #expect(response.value == Page(title: "Door") && response.httpStatus == 200)
        #expect(SimpleRequest(request).query == query)
        let cookies: [SimpleNetworkingCookies.Cookie] = CookieJar().cookies(for: client.baseURL)
        #expect(cookies.isEmpty)
        let page = SimpleNetworkingPagination.Page(items: [1], response: response.response)
        #expect(page.items == [1] && page.info == PaginationStyle.Info())
        let authenticator: any SimpleNetworkingCore.Authenticator = BearerAuthenticator()
        #expect(authenticator is BearerAuthenticator)
    }

    @Test("A subclass's own names stay its own")
    func ownNamesStayInASubclass() async throws {
        let stub = StubTransport().on("/page", .json(#"{"title": "Door"}"#))
        let client = Library(host: "api.example.com") { $0.transport = stub }
        #expect(try await client.page() == Page(title: "Door"))
        #expect(Request() == Request(number: 0) && Response() == Response() && Query() == Query())
        #expect(Cookie() == Cookie() && PageInfo() == PageInfo())
    }

    #if compiler(>=6.3)
        @Test("Swift 6.3 takes the module's name with two colons")
        func colonsNameTheModule() {
            let request: SimpleNetworking::Request<String> = .get("/x")
            #expect(request.path == "/x")
        }
    #endif
}
