import SimpleNetworkingSupport

/// Says in an event what a feature did for a request.
///
/// Each feature has its own type of note, so that a monitor can tell them apart. A note's `description` stands in the
/// trace and in the log, so it must not contain secrets.
public protocol RequestNote: Sendable, CustomStringConvertible {}
