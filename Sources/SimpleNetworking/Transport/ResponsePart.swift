/// Holds a part of an answer that is received as a stream.
public enum ResponsePart: Sendable {
    /// Comes first, once: the status, 200...299, and the header fields.
    case head(status: Int, headers: HTTPHeaders)
    /// Comes any number of times: a piece of the content, decompressed.
    case content(Data)
}
