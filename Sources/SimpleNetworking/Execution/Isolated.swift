/// A handler, the actor it was written on, and the place in the source.
///
/// Handlers are plain closures, not `@Sendable` ones, so that they may touch the state around the place where they are
/// written. That is sound as long as they run where they were written: on `actor`, or on the callback queue. Hence the
/// unchecked conformance.
struct Isolated<Body>: @unchecked Sendable {
    let actor: (any Actor)?
    let fileID: StaticString
    let line: UInt
    let body: Body
}
