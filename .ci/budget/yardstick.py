"""Makes the fixed program whose build is the measure of others: the same files each time."""

TEMPLATE = """\
import Foundation

protocol Shape{n} {{
    associatedtype Unit: Sendable, Comparable
    var parts: [Unit] {{ get }}
    func measured(by scale: Double) -> Double
}}

struct Record{n}: Codable, Sendable, Hashable {{
    var identifier: Int
    var title: String
    var weights: [Double]
    var tags: [String: String]
    var parent: String?

    enum CodingKeys: String, CodingKey {{
        case identifier = "id"
        case title, weights, tags, parent
    }}

    var total: Double {{ weights.reduce(0, +) }}
    var label: String {{ "\\(identifier): \\(title) (\\(tags.keys.sorted().joined(separator: ", ")))" }}

    mutating func merge(_ other: Record{n}) {{
        weights += other.weights.filter {{ $0 > total / 2 }}
        tags.merge(other.tags) {{ old, new in old.count > new.count ? old : new }}
        if parent == nil {{ parent = other.parent }}
    }}
}}

enum State{n}: Sendable {{
    case idle
    case waiting(since: Double, attempts: Int)
    case running(Record{n}, progress: Double)
    case ended(Result<Record{n}, any Error>)

    mutating func advance(at time: Double) -> Bool {{
        switch self {{
        case .idle: self = .waiting(since: time, attempts: 0)
        case .waiting(let since, let attempts) where attempts > 3 && time - since > {n}: self = .idle
        case .waiting(let since, let attempts): self = .waiting(since: since, attempts: attempts + 1)
        case .running(let record, let progress) where progress < 1: self = .running(record, progress: progress + 0.1)
        case .running(let record, _): self = .ended(.success(record))
        case .ended: return false
        }}
        return true
    }}
}}

struct Grid{n}: Shape{n} {{
    let parts: [Int]

    func measured(by scale: Double) -> Double {{
        parts.enumerated().map {{ Double($0.offset) * scale + Double($0.element) }}.max() ?? 0
    }}
}}

final class Keeper{n}<Value: Sendable>: @unchecked Sendable {{
    private let lock = NSLock()
    private var values: [String: Value] = [:]
    private var observers: [@Sendable (String, Value) -> Void] = []

    func observe(_ observer: @escaping @Sendable (String, Value) -> Void) {{
        lock.withLock {{ observers.append(observer) }}
    }}

    func store(_ value: Value, for key: String) {{
        let told = lock.withLock {{
            values[key] = value
            return observers
        }}
        for observer in told {{ observer(key, value) }}
    }}

    func value(for key: String, or make: @Sendable () async throws -> Value) async throws -> Value {{
        if let known = lock.withLock({{ values[key] }}) {{ return known }}
        let made = try await make()
        store(made, for: key)
        return made
    }}
}}

func run{n}(_ keeper: Keeper{n}<Record{n}>, count: Int) async throws -> [Record{n}] {{
    var records: [Record{n}] = []
    for index in 0..<count {{
        let record = try await keeper.value(for: "key \\(index)") {{
            Record{n}(identifier: index, title: "record", weights: [1, 2, Double(index)], tags: [:], parent: nil)
        }}
        var merged = record
        if let last = records.last {{ merged.merge(last) }}
        records.append(merged)
    }}
    return records.sorted {{ ($0.total, $0.label) < ($1.total, $1.label) }}
}}
"""


def write(folder, files=30):
    for number in range(files):
        (folder / f"File{number}.swift").write_text(TEMPLATE.format(n=number))
    calls = "\n".join(f"print(try await run{n}(Keeper{n}(), count: {n}).count)" for n in range(files))
    (folder / "main.swift").write_text(calls + "\n")
