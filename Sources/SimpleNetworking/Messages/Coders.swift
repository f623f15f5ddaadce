/// The encoder and the decoder of a client.
///
/// Foundation's may be used from several threads at once, as long as nobody changes them, but say so to the compiler only
/// from iOS 16 and macOS 13 on; hence the unchecked conformance.
struct Coders: @unchecked Sendable {
    var encoder = JSONEncoder.standard
    var decoder: any ResponseDecoder = JSONDecoder.standard
}
