import SimpleNetworkingSupport

/// Identifies an option that your own module adds to clients and requests.
///
/// ```swift
/// enum Gzip: OptionKey {
///     static let defaultValue = false
/// }
///
/// extension SimpleNetworking.Configuration {
///     public var compressesBodies: Bool {
///         get { self[Gzip.self] }
///         set { self[Gzip.self] = newValue }
///     }
/// }
///
/// extension SimpleRequest {
///     @discardableResult public func compressed(_ isCompressed: Bool = true) -> Self {
///         option(Gzip.self, isCompressed)
///     }
/// }
/// ```
///
/// Middleware, transports and event monitors read the option of a request, as `request[Gzip.self]`. A request that
/// doesn't set the option has its client's.
public protocol OptionKey: Sendable {
    /// The type of the option.
    associatedtype Value: Sendable

    /// The value of clients that don't set the option.
    static var defaultValue: Value { get }
}
