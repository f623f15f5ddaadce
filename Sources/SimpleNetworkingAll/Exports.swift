@_documentation(visibility: internal) @_exported import SimpleNetworking
@_documentation(visibility: internal) @_exported import SimpleNetworkingCaching
@_documentation(visibility: internal) @_exported import SimpleNetworkingCookies
@_documentation(visibility: internal) @_exported import SimpleNetworkingDigest
@_documentation(visibility: internal) @_exported import SimpleNetworkingForms
@_documentation(visibility: internal) @_exported import SimpleNetworkingPagination
@_documentation(visibility: internal) @_exported import SimpleNetworkingTraffic
@_documentation(visibility: internal) @_exported import SimpleNetworkingTransfers
