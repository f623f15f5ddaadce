@_exported import Foundation
@_documentation(visibility: internal) @_exported import SimpleNetworkingCore

#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif
