@_exported import SwiftGlibc
