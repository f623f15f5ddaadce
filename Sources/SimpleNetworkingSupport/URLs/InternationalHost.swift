/// Converts hosts that aren't ASCII, in programs without full Foundation, whose `URL` does so itself.
///
/// Only names that are normalized already are converted: full mapping (UTS 46) needs tables of many megabytes.
package enum InternationalHost {
    /// Why a host was refused, as the end of a sentence.
    package static let refusal =
        "its host isn't in lowercase, composed letters; without full Foundation, write other hosts in ASCII (xn--…)"

    /// Returns a host in lowercase ASCII (RFC 5891 §4.4); nil if it isn't a host, or if a label isn't normalized.
    package static func ascii(_ host: String) -> String? {
        // Nearly every host, and each request asks.
        if host.isMade(of: plainBytes) { return host.lowercased() }
        // An IPv6 address, perhaps with a zone.
        if host.utf8.contains(UInt8(ascii: ":")) { return host.isMade(of: addressBytes) ? host.lowercased() : nil }
        let labels = host.pieces(between: ".", keepsEmpty: true).map { ascii(label: $0) }
        let converted = labels.compactMap(\.self)
        return converted.count == labels.count ? converted.joined(separator: ".") : nil
    }

    private static let plainBytes = ByteSet.lettersAndDigits.union("-._")
    private static let addressBytes = plainBytes.union("~:%")

    private static func ascii(label: Substring) -> String? {
        let scalars = Array(label.unicodeScalars)
        guard label.firstIndex(ofAny: HostName.delimiters) == nil else { return nil }
        if scalars.allSatisfy(\.isASCII) { return label.lowercased() }
        guard isNormalized(scalars), !label.utf8.starts(with: "xn--".utf8) else { return nil }
        return Punycode.encode(scalars).map { "xn--" + $0 }
    }

    /// Returns whether mapping and normalization would certainly change nothing.
    private static func isNormalized(_ scalars: [Unicode.Scalar]) -> Bool {
        var lastClass: UInt8 = 0
        for (index, scalar) in scalars.enumerated() {
            let properties = scalar.properties
            guard !properties.changesWhenNFKCCaseFolded, !mayCompose.contains(where: { $0.contains(scalar.value) })
            else {
                return false
            }
            switch properties.generalCategory {
            case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber: break
            case .nonspacingMark, .spacingMark: if index == 0 { return false }
            default: if scalar != "-" { return false }
            }
            let combiningClass = properties.canonicalCombiningClass.rawValue
            if combiningClass != 0, combiningClass < lastClass { return false }
            lastClass = combiningClass
        }
        return true
    }

    /// The scalars that may compose with an earlier one (Unicode's NFC_Quick_Check=Maybe).
    private static let mayCompose: [ClosedRange<UInt32>] = [
        0x300...0x36F, 0x653...0x655, 0x93C...0x93C, 0x9BE...0x9BE, 0x9D7...0x9D7, 0xB3E...0xB3E, 0xB56...0xB57,
        0xBBE...0xBBE, 0xBD7...0xBD7, 0xC56...0xC56, 0xCC2...0xCC2, 0xCD5...0xCD6, 0xD3E...0xD3E, 0xD57...0xD57,
        0xDCA...0xDCA, 0xDCF...0xDCF, 0xDDF...0xDDF, 0x102E...0x102E, 0x1100...0x11FF, 0x1B35...0x1B35,
        0x3099...0x309A, 0x1_1000...0x1_1FFF,
    ]
}

/// Encodes Unicode in ASCII (RFC 3492).
private enum Punycode {
    /// Returns a label without its prefix; nil if it is too long.
    static func encode(_ scalars: [Unicode.Scalar]) -> String? {
        guard scalars.count <= 63 else { return nil }
        let values = scalars.map { Int($0.value) }
        var output = scalars.filter(\.isASCII).map { UInt8(clamping: $0.value) }
        let basicCount = output.count
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (next, delta, bias, handled) = (128, 0, 72, basicCount)
        while handled < values.count {
            let smallest = values.filter { $0 >= next }.min() ?? next
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for value in values {
                if value < next { delta += 1 }
                guard value == next else { continue }
                write(delta, bias, to: &output)
                bias = adapted(delta, handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return output.count <= 59 ? String(decoding: output, as: UTF8.self) : nil
    }

    private static func write(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
        var rest = delta
        var place = 36
        while true {
            let threshold = min(max(place - bias, 1), 26)
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            place += 36
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(clamping: value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var place = 0
        while delta > 455 {
            delta /= 35
            place += 36
        }
        return place + 36 * delta / (delta + 38)
    }
}
