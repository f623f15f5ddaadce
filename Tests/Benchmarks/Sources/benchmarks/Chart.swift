/// Draws the time per request and the requests per second of each client, as SVG that is readable on light and dark.
struct Chart {
    let results: Results

    private static let width = 760
    private static let labelWidth = 220
    private static let rowHeight = 26

    var text: String {
        let panels: [(Measure, String)] = [
            (.median, "Time per request, one at a time (µs, shorter is better)"),
            (.throughput, "Requests per second, 64 in flight (longer is better)"),
        ]
        var y = 0
        var parts: [String] = []
        for (measure, title) in panels {
            let rows = ClientKind.allCases.compactMap { client in
                results.median(measure, of: client).map { (client, $0) }
            }
            guard let longest = rows.map(\.1).max() else { continue }
            parts.append(#"<text class="title" x="0" y="\#(y + 18)">\#(title)</text>"#)
            y += 30
            for (client, value) in rows {
                parts.append(row(client, value, longest: longest, y: y))
                y += Self.rowHeight
            }
            y += 16
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(y)" width="\(Self.width)" height="\(y)" \
            role="img" aria-label="Time per request and requests per second of HTTP clients">
            <style>
            text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #57606a; }
            .title { font-weight: 600; }
            .own { fill: #2f81f7; } .engine { fill: #8bb8f8; } .other { fill: #9aa4af; }
            @media (prefers-color-scheme: dark) { text { fill: #adbac7; } .other { fill: #646e79; } }
            </style>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private func row(_ client: ClientKind, _ value: Double, longest: Double, y: Int) -> String {
        let style =
            switch client {
            case .simpleHandlers, .simpleAwaiting: "own"
            case .engine: "engine"
            case .sessionHandlers, .sessionAwaiting, .asyncHTTP, .easyInterface, .alamofire, .get: "other"
            }
        let length = Int((Double(Self.width - Self.labelWidth - 70) * value / longest).rounded())
        let middle = y + 14
        return """
            <text x="\(Self.labelWidth - 10)" y="\(middle)" text-anchor="end">\(client.title)</text>
            <rect class="\(style)" x="\(Self.labelWidth)" y="\(y + 1)" width="\(length)" height="18" rx="3"/>
            <text x="\(Self.labelWidth + length + 8)" y="\(middle)">\(Int(value.rounded()).formatted())</text>
            """
    }
}
