/// Says to which handler, and for which attempt, a request was given in hand.
struct RequestTicket: Sendable {
    let number: Int
    let epoch: Int
}
