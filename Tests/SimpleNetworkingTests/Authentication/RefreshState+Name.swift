@testable import SimpleNetworkingCore

/// What an attempt has to do, in words.
func name(_ action: RefreshState.Action) -> String {
    switch action {
    case .resend(let generation): "resend with \(generation)"
    case .wait: "wait"
    case .refresh(let number): "refresh \(number)"
    case .fail: "fail"
    case .end: "end"
    }
}
