// Full Foundation would make a Linux program three times as large. A single file that imports it has that effect.
#if os(Linux)
    @_exported import Dispatch
    @_exported import FoundationEssentials
    #if canImport(Glibc)
        @_exported import Glibc
    #elseif canImport(Musl)
        @_exported import Musl
    #endif
#else
    @_exported import Foundation
#endif
