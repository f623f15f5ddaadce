/// What the server does on one request: the bytes it sends, in pieces, and what becomes of the connection.
struct Reply {
    enum End: CaseIterable { case keep, close, reset }

    var pieces: [[UInt8]]
    var end: End
    /// Whether the last piece is sent again and again, until the client hangs up.
    var isEndless = false
    /// The microseconds before the first piece.
    var delay: UInt32 = 0
}
