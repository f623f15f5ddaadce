import SimpleNetworkingSupport

/// Gives the core what only full Foundation does.
extension Platform: FoundationBridge {
    package static func text(of data: Data, encoding number: UInt) -> String? {
        // The numbers of Core Foundation's encodings are above this bit.
        String(data: data, encoding: String.Encoding(rawValue: 0x8000_0000 | number))
    }

    package static func plain(_ object: Any) -> PlainObject? {
        switch object {
        case is NSNull: .null
        case let text as NSString: .text("\(text)")
        case let number as NSNumber: .number(json(of: number))
        case is NSArray: .list(object as? [Any] ?? [])
        case is NSDictionary: .object(object as? [String: Any])
        default: nil
        }
    }

    private static func json(of number: NSNumber) -> String? {
        guard number.doubleValue.isFinite else { return nil }
        let data = try? JSONSerialization.data(withJSONObject: number, options: .fragmentsAllowed)
        return data.map { String(decoding: $0, as: UTF8.self) }
    }
}
