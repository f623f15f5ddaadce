/// The replies of a server in a storm of cancellations.
enum CancellationStorm {
    static let paths = ["/echo", "/redirect", "/refused", "/closed", "/truncated", "/reset", "/trailers", "/slow"]

    static func reply(to request: RawServer.Request) -> RawServer.Reply {
        switch request.path {
        case "/redirect": .redirect(to: "/echo")
        case "/refused": .unauthorized()
        case "/closed": .closed
        case "/truncated": .truncated
        case "/reset": .reset
        case "/trailers": .trailers
        case "/slow": .drip("abc", every: 0.001)
        default: .echo(request)
        }
    }
}
