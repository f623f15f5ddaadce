/// Reads the hosts that users name in settings.
package enum HostName {
    /// Returns a host as it stands in a request's URL: in lowercase ASCII, without brackets and a trailing dot.
    ///
    /// - Returns: The host; nil if the text is anything else, such as a URL, a pattern, or a host with a port.
    package static func normalized(_ text: String) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let address = String(text.dropFirst().dropLast()).lowercased()
            return address.utf8.contains(UInt8(ascii: ":")) && IPAddress(address) != nil ? address : nil
        }
        if IPAddress(text) != nil { return text.lowercased() }
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        guard !name.contains(anyOf: delimiters) else { return nil }
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        guard let host = isASCII ? name.lowercased() : international(name) else { return nil }
        let labels = host.pieces(between: ".", keepsEmpty: true)
        // A number at the end makes an address of it, which it isn't (WHATWG URL §3.5).
        guard host.utf8.count <= 253, labels.allSatisfy(isLabel), let last = labels.last, !String(last).isNumber else {
            return nil
        }
        return host
    }

    /// Returns a host that isn't ASCII as `URL` has it, or as `InternationalHost` writes it.
    private static func international(_ name: String) -> String? {
        URL(string: "http://\(name)")?.host.flatMap(InternationalHost.ascii)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && String(label).isMade(of: labelBytes)
    }

    private static let labelBytes = ByteSet.lettersAndDigits.union("-_")
    /// What would end the host if it stood in a URL.
    static let delimiters = ByteSet.controls.union(" /?#@:[]%<>\\^`{|}\"")
}
