/// Makes values of an answer's content: `JSONDecoder`, or a faster or wholly different one.
///
/// It is called off the callback queue, from several threads at once.
public protocol ResponseDecoder {
    /// Makes a value of content.
    ///
    /// - Throws: Whatever is wrong with the content; the request then ends with `.decoding`. A `DecodingError` brings
    ///   the coding path along.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}
