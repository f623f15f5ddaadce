extension RequestBody {
    /// A fresh stream of the content, or nil if there is none or it cannot be read.
    var newStream: InputStream? {
        switch self {
        case .none: nil
        case .data(let data): InputStream(data: data)
        case .file(let file): InputStream(url: file)
        case .stream(_, let make): make()
        }
    }

    /// The length in bytes, if it is known.
    var length: Int? {
        switch self {
        case .none: 0
        case .data(let data): data.count
        case .file(let file):
            ((try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? NSNumber)?.intValue
        case .stream(let length, _): length
        }
    }

    /// Tells whether no byte would be sent.
    var isEmpty: Bool { length == 0 }
}
