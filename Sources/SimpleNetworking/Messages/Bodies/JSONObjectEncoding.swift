/// Encodes dictionaries, arrays and fragments, and names what JSON has no form for.
enum JSONObjectEncoding {
    static func data(of object: Any?) throws(SimpleNetworkingError) -> Data {
        let object = try plain(object as Any, path: [])
        do {
            return try JSONSerialization.data(
                withJSONObject: object,
                options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
            )
        } catch {
            throw .invalidRequest(reason: "the content cannot be encoded as JSON (\(error))", nil)
        }
    }

    /// As deep as `JSONSerialization` reads.
    private static let maxDepth = 512

    /// Gives the value with optionals opened; JSONSerialization traps on what it does not know, so nothing passes unseen.
    private static func plain(_ value: Any, path: [String]) throws(SimpleNetworkingError) -> Any {
        if let optional = value as? any OptionalValue {
            guard let wrapped = optional.wrapped else { return NSNull() }
            return try plain(wrapped, path: path)
        }
        guard path.count < maxDepth else { throw refusal("is nested too deeply", path) }
        switch value {
        case is String, is NSNull, is Bool: return value
        case let number as any BinaryFloatingPoint where !Double(number).isFinite:
            throw refusal("is \(number), which JSON has no form for", path)
        case let number as NSNumber where !number.doubleValue.isFinite:
            throw refusal("is \(number), which JSON has no form for", path)
        case is any BinaryInteger, is any BinaryFloatingPoint, is Decimal, is NSNumber: return value
        case let text as NSString: return String(describing: text)
        case let list as [Any]:
            var plainList: [Any] = []
            plainList.reserveCapacity(list.count)
            for (index, element) in list.enumerated() {
                plainList.append(try plain(element, path: path + ["\(index)"]))
            }
            return plainList
        case let object as [String: Any]:
            var plainObject: [String: Any] = [:]
            plainObject.reserveCapacity(object.count)
            for (key, element) in object { plainObject[key] = try plain(element, path: path + [key]) }
            return plainObject
        case is [AnyHashable: Any]: throw refusal("has keys that are not text", path)
        default: throw refusal("is a \(type(of: value)), which JSON has no form for", path)
        }
    }

    private static func refusal(_ words: String, _ path: [String]) -> SimpleNetworkingError {
        let place = path.isEmpty ? "the content" : "the value at \(path.prefix(20).joined(separator: "."))"
        return .invalidRequest(reason: "\(place) \(words)", nil)
    }
}
