/// What is done with 64 requests in flight.
enum Load: String {
    case decoded, raw, defaults

    var decodes: Bool { self != .raw }

    /// As many for each client, so that none has requests queue that another one sends; or as many as it has by itself.
    var connections: Int? { self == .defaults ? nil : 64 }

    var measures: (rate: Measure, cpu: Measure?) {
        switch self {
        case .decoded: (.throughput, .cpu)
        case .raw: (.rawThroughput, .rawCPU)
        case .defaults: (.defaultThroughput, nil)
        }
    }
}
