@_documentation(visibility: internal) @_exported import SimpleNetworking
@_documentation(visibility: internal) @_exported import SimpleNetworkingFeatureSupport
