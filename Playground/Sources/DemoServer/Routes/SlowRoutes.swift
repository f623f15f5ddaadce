import FlyingFox
import Foundation

/// A slow response.
struct SlowRoutes: RouteGroup {
    static let longestDelay: TimeInterval = 60

    var routes: [Route] {
        [
            Route("GET /slow", "a response after 5 s; ?seconds=0.5 after half a second") { request in
                let seconds = request.query["seconds"].flatMap(Double.init) ?? 5
                guard (0...Self.longestDelay).contains(seconds) else {
                    return .problem(400, "Ask for at most \(Int(Self.longestDelay)) seconds.")
                }
                try await Task.sleep(for: .seconds(seconds))
                return try .json(["waited": seconds])
            }
        ]
    }
}
