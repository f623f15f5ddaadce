/// What is measured of each client.
enum Measure: String, CaseIterable, Codable, CodingKeyRepresentable {
    case median, slowest, throughput, cpu, allocations, instructions
    case crowdTime, crowdMemory
    case memoryRate, memoryPeak, fileRate, filePeak
    case firstRequest

    /// The name in the table, with the unit.
    var title: String {
        switch self {
        case .median: "one at a time: median, µs"
        case .slowest: "one at a time: 99 % within, µs"
        case .throughput: "64 in flight: requests a second"
        case .cpu: "64 in flight: CPU a request, µs"
        case .allocations: "heap allocations a request"
        case .instructions: "instructions a request, thousands"
        case .crowdTime: "1,000 in flight, slow server: s"
        case .crowdMemory: "1,000 in flight: memory up, MB"
        case .memoryRate: "50 MB to memory: MB/s"
        case .memoryPeak: "50 MB to memory: memory up, MB"
        case .fileRate: "50 MB to file: MB/s"
        case .filePeak: "50 MB to file: memory up, MB"
        case .firstRequest: "new process to first response, ms"
        }
    }

    /// Digits after the point.
    var digits: Int {
        switch self {
        case .median, .slowest, .throughput, .allocations, .instructions, .memoryRate, .fileRate: 0
        case .cpu, .memoryPeak, .filePeak, .crowdMemory, .firstRequest: 1
        case .crowdTime: 2
        }
    }
}
