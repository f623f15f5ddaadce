@_exported import Foundation
@_exported import SimpleNetworking

#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif
#if canImport(Glibc)
    @_exported import Glibc
#endif
