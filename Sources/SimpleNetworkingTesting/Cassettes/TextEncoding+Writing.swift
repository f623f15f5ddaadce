import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

extension TextEncoding {
    /// Writes text in the encoding with this label, so that `text(of:label:)` reads it again.
    ///
    /// - Returns: The bytes, as UTF-8 if no encoding has that label; nil if the encoding can't represent the text.
    static func data(of text: String, label: String) -> Data? {
        let plain = Data(text.utf8)
        if restores(text, from: plain, label) { return plain }
        guard let encoding = TextEncoding(label: label) else { return nil }
        for data in [encoding.units(of: text), singleBytes(of: text, label), encoding.foundationData(of: text)] {
            if let data, restores(text, from: data, label) { return data }
        }
        return nil
    }

    private static func restores(_ text: String, from data: Data, _ label: String) -> Bool {
        self.text(of: data, label: label)?.utf8.elementsEqual(text.utf8) == true
    }

    private func units(of text: String) -> Data? {
        guard name.hasPrefix("UTF-16") else { return nil }
        return text.data(using: name == "UTF-16BE" ? .utf16BigEndian : .utf16LittleEndian)
    }

    /// Returns one byte for each character, by what the encoding reads from each byte.
    private static func singleBytes(of text: String, _ label: String) -> Data? {
        var bytes: [Unicode.Scalar: UInt8] = [:]
        for byte in UInt8(0x80)...0xFF {
            let scalars = self.text(of: Data([byte]), label: label)?.unicodeScalars
            if let scalars, scalars.count == 1, let scalar = scalars.first { bytes[scalar] = byte }
        }
        var data = Data()
        for scalar in text.unicodeScalars {
            guard let byte = scalar.isASCII ? UInt8(scalar.value) : bytes[scalar] else { return nil }
            data.append(byte)
        }
        return data
    }

    private func foundationData(of text: String) -> Data? {
        number.flatMap { text.data(using: String.Encoding(rawValue: 0x8000_0000 | $0)) }
    }
}
