/// Routes that belong together, one group per file of `Routes`.
protocol RouteGroup: Sendable {
    var routes: [Route] { get }
}
