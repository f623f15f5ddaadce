/// Writes results as text for a terminal and for Markdown alike.
struct Table {
    let results: Results

    /// The medians, and the ratios to the two clients that everybody else is compared with.
    var text: String {
        let tables = [
            table("median of the rounds") { measure, client in
                results.median(measure, of: client)?.text(measure.digits)
            },
            table("ratio to URLSession, handlers") { results.ratio($0, of: $1, to: .sessionHandlers)?.text(2) },
            table("ratio to async-http-client") { results.ratio($0, of: $1, to: .asyncHTTP)?.text(2) },
        ]
        return tables.joined(separator: "\n\n")
    }

    /// The goals, and whether they are reached.
    var goals: String {
        let rows = Goal.all(in: results).compactMap { goal -> [String]? in
            guard let value = goal.value, let isReached = goal.isReached else { return nil }
            return [goal.text, value.text(2), isReached ? "reached" : "MISSED"]
        }
        return Self.aligned([["goal", "measured", ""]] + rows)
    }

    /// Build times and sizes.
    var programs: String {
        let rows = results.programs.map {
            [$0.name, $0.release.text(1), $0.debug.text(1), $0.kilobytes.text(0)]
        }
        return Self.aligned([["program", "release: CPU, s", "debug: CPU, s", "stripped, KB"]] + rows)
    }

    private func table(_ title: String, cell: (Measure, ClientKind) -> String?) -> String {
        let measures = Measure.allCases.filter { results.values[$0] != nil }
        let clients = ClientKind.allCases.filter { client in measures.contains { results.values[$0]?[client] != nil } }
        let rows = measures.map { measure in [measure.title] + clients.map { cell(measure, $0) ?? "–" } }
        return Self.aligned([[title] + clients.map(\.shortTitle)] + rows)
    }

    static func aligned(_ rows: [[String]]) -> String {
        guard let first = rows.first else { return "" }
        let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rules = widths.enumerated().map { column, width in
            String(repeating: "-", count: width + 1) + (column == 0 ? "-" : ":")
        }
        return ([line(first), "|" + rules.joined(separator: "|") + "|"] + rows.dropFirst().map(line))
            .joined(separator: "\n")
    }
}

extension Double {
    /// The number with so many digits after the point.
    func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
