import SimpleNetworkingSupport

extension SimpleNetworkingError.Timeout: Described {
    /// The limit that was exceeded, as the end of a sentence.
    package var shownText: String {
        func text(_ seconds: TimeInterval) -> String {
            seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
        }
        return switch self {
        case .attempt(let seconds): "got no complete response within its timeout of \(text(seconds))"
        case .deadline(let seconds): "did not end within its deadline of \(text(seconds)), all attempts included"
        case .connect(let seconds): "got no connection within \(text(seconds))"
        case .idle(let seconds): "saw no byte for \(text(seconds))"
        }
    }
}
