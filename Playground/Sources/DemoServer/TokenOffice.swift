/// Hands out tokens, of which only the last one is good.
actor TokenOffice {
    private var issued = 0
    private var current: String?

    func issue() -> String {
        issued += 1
        let token = "demo-token-\(issued)"
        current = token
        return token
    }

    func expire() { current = nil }

    func accepts(_ token: String?) -> Bool { token != nil && token == current }
}
