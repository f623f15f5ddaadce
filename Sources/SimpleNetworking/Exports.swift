@_exported import Foundation

#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

#if !compiler(>=6.2)
    /// Stands for what older compilers have no word for: a type that may be used from any thread.
    public typealias SendableMetatype = Any
#endif
