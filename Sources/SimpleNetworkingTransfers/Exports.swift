@_documentation(visibility: internal) @_exported import SimpleNetworkingCore
