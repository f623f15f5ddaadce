import SimpleNetworking

/// Tells that a stubbed server was asked for something it has no answer to.
public struct UnscriptedRequest: Error, CustomStringConvertible {
    /// What was asked, what is scripted.
    public let description: String

    init(_ request: TransportRequest, rules: [String]) {
        let scripted = rules.isEmpty ? "nothing" : rules.joined(separator: "; ")
        description = "no rule answers \(request.head); scripted: \(scripted)"
    }
}
