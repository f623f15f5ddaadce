/// Records a server's requests as lines such as `GET /users?page=2`.
public actor RequestLog {
    /// The lines in the order of arrival.
    public private(set) var lines: [String] = []
    /// The header fields of each line's request, names in lower case.
    public private(set) var headers: [[String: String]] = []
    private var waiting: [(line: String, times: Int, arrived: AsyncStream<Void>.Continuation)] = []

    /// Returns as soon as such a request has arrived so many times, at once if it has already; or when the task is
    /// cancelled.
    public func wait(for line: String, times: Int = 1) async {
        guard count(of: line) < times else { return }
        let (arrival, arrived) = AsyncStream<Void>.makeStream()
        waiting.append((line, times, arrived))
        for await _ in arrival {}
    }

    /// Counts the requests with exactly this line.
    public func count(of line: String) -> Int { lines.count { $0 == line } }

    /// Returns the header fields of the last request with exactly this line, names in lower case.
    public func headers(of line: String) -> [String: String]? { lines.lastIndex(of: line).map { headers[$0] } }

    func add(_ line: String, headers fields: [String: String]) {
        lines.append(line)
        headers.append(fields)
        let count = count(of: line)
        for waiter in waiting where waiter.line == line && waiter.times <= count { waiter.arrived.finish() }
        waiting.removeAll { $0.line == line && $0.times <= count }
    }
}
