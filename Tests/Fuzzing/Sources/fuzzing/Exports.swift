// One place for what every file needs.
@_exported import Foundation
@_exported import SimpleNetworking

#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif
