/// What is measured of each client.
enum Measure: String, CaseIterable, Codable, CodingKeyRepresentable {
    case median, slowest, sequentialCPU, throughput, cpu, rawThroughput, rawCPU, defaultThroughput, oneCore
    case allocations, instructions
    case smallList, largeList, secure, secureHTTP2
    case spreadCPU, crowdTime, crowdMemory, hugeTime, hugeMemory
    case memoryRate, memoryPeak, fileRate, filePeak
    case firstRequest

    /// The name in the table, with the unit.
    var title: String {
        switch self {
        case .median: "one at a time: median, µs"
        case .slowest: "one at a time: 99 % within, µs"
        case .sequentialCPU: "one at a time: CPU a request, µs"
        case .throughput: "64 in flight: requests a second"
        case .cpu: "64 in flight: CPU a request, µs"
        case .rawThroughput: "64 in flight, not decoded: a second"
        case .rawCPU: "64 in flight, not decoded: CPU, µs"
        case .defaultThroughput: "64 in flight, defaults: a second"
        case .oneCore: "64 in flight on one core: a second"
        case .smallList: "10 KB of JSON: median, µs"
        case .largeList: "1 MB of JSON: median, µs"
        case .secure: "TLS, HTTP/1.1: median, µs"
        case .secureHTTP2: "TLS, HTTP/2: median, µs"
        case .spreadCPU: "1,000 over 3 s: CPU a request, µs"
        case .hugeTime: "10,000 in flight, slow server: s"
        case .hugeMemory: "10,000 in flight: memory up, MB"
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
        case .median, .slowest, .throughput, .rawThroughput, .defaultThroughput, .oneCore, .allocations, .instructions,
            .memoryRate, .fileRate, .smallList, .largeList, .secure, .secureHTTP2:
            0
        case .cpu, .rawCPU, .sequentialCPU, .spreadCPU, .memoryPeak, .filePeak, .crowdMemory, .hugeMemory,
            .firstRequest:
            1
        case .crowdTime, .hugeTime: 2
        }
    }
}
