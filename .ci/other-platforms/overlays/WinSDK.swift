// Stands in for what Swift adds to the Windows SDK. The importer knows WindowsBool and its conversions by name.
@_exported import SwiftGlibc
@_exported import WinSDK

public var INVALID_HANDLE_VALUE: HANDLE { fatalError() }

@frozen
public struct WindowsBool: ExpressibleByBooleanLiteral {
    let value: Int32

    public init(booleanLiteral value: Bool) { self.value = value ? 1 : 0 }
}

public func _convertBoolToWindowsBool(_ value: Bool) -> WindowsBool { WindowsBool(booleanLiteral: value) }
public func _convertWindowsBoolToBool(_ value: WindowsBool) -> Bool { value.value != 0 }
