import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// An archive's content, which is decoded: text is in the archive's own encoding, whatever was sent.
extension HTTPArchive.Body {
    /// The content of a request.
    var sent: Data {
        get throws {
            if let params, !params.isEmpty, (text ?? "").isEmpty {
                let pairs = params.map { QueryText.encodeForForm($0.name) + "=" + QueryText.encodeForForm($0.value) }
                return Data(pairs.joined(separator: "&").utf8)
            }
            return try binary ?? Data((text ?? "").utf8)
        }
    }

    /// Returns the content of a response as it was received, and its type.
    ///
    /// Text is encoded as the type says again. If that is impossible, it becomes UTF-8, and so does the type. With
    /// `isUTF8`, it is UTF-8 regardless of its type, as version 1 of this library wrote it.
    func received(_ type: MediaType?, isUTF8: Bool) throws -> (data: Data, type: MediaType?) {
        if let data = try binary { return (data, type) }
        let text = text ?? ""
        guard !isUTF8, let charset = type?.parameter("charset") else { return (Data(text.utf8), type) }
        let unmarked = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
        if let data = TextEncoding.data(of: unmarked, label: charset) { return (data, type) }
        return (Data(text.utf8), type?.withCharsetUTF8)
    }

    private var binary: Data? {
        get throws {
            guard encoding == "base64" else { return nil }
            guard let data = Data(base64Encoded: (text ?? "").filter { !$0.isWhitespace }) else {
                throw CassetteFailure(text: "the content of an entry is not base64")
            }
            return data
        }
    }

    /// Creates the content of a response: text, or base64 if reading the text would not restore each byte.
    init(_ content: Data, type: String?, isUTF8: Bool) {
        let charset = isUTF8 ? nil : type.flatMap { MediaType(rawValue: $0).parameter("charset") }
        var text = charset == nil ? String(data: content, encoding: .utf8) : nil
        if let charset, let decoded = TextEncoding.text(of: content, label: charset) {
            text = TextEncoding.data(of: decoded, label: charset) == content ? decoded : nil
        }
        self.init(
            mimeType: type ?? "",
            text: text ?? content.base64EncodedString(),
            encoding: text == nil ? "base64" : nil,
            size: content.count
        )
    }
}
