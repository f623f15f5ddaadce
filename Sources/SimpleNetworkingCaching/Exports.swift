@_documentation(visibility: internal) @_exported import SimpleNetworking
