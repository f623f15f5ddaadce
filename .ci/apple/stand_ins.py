"""Gives the interfaces of all modules that the package imports on a platform, in the order in which they are compiled."""

import pathlib

import standard_library

_HERE = pathlib.Path(__file__).parent
_FRAMEWORKS = ["ObjectiveC", "Darwin", "Dispatch", "CoreFoundation", "Foundation", "os"]

_HEAD = """// swift-interface-format-version: 1.0
// swift-compiler-version: Swift version 6
// swift-module-flags: -target {triple} -enable-objc-interop -enable-library-evolution -swift-version 5 -module-name {module} \
-disable-objc-attr-requires-foundation-module
"""

_BRIDGING = """extension {type} : Swift._ObjectiveCBridgeable {{
  public func _bridgeToObjectiveC() -> Foundation.{object}
  public static func _forceBridgeFromObjectiveC(_ source: Foundation.{object}, result: inout {value}?)
  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(_ source: Foundation.{object}, result: inout {value}?) -> Swift.Bool
  public static func _unconditionallyBridgeFromObjectiveC(_ source: Foundation.{object}?) -> {value}
}}
"""


def interfaces(platform, triple, toolchain):
    """Returns pairs of a module's name and the text of its interface."""
    modules = [(name, standard_library.interface(name, triple, toolchain)) for name in standard_library.MODULES]
    has_sign_in = platform in ("macos", "ios", "visionos")
    for name in _FRAMEWORKS + (["AuthenticationServices"] if has_sign_in else []):
        files = sorted((_HERE / "interfaces" / name).glob("*.swiftinterface"))
        text = "".join(file.read_text() for file in files or [_HERE / "interfaces" / f"{name}.swiftinterface"])
        if name == "Foundation":
            text += _bridging()
        modules.append((name, _HEAD.format(triple=triple, module=name) + text))
    if platform == "macos":
        modules += [(name, standard_library.interface(name, triple, toolchain)) for name in standard_library.FOR_TESTS]
    return modules


def _bridging():
    pairs = [("Swift.String", "NSString"), ("Swift.Array<Element>", "NSArray")]
    pairs += [("Swift.Dictionary<Key, Value>", "NSDictionary"), ("Swift.Set<Element>", "NSSet")]
    pairs += [(f"Swift.{name}", "NSNumber") for name in ("Bool", "Double", "Float")]
    pairs += [(f"Swift.{sign}Int{width}", "NSNumber") for sign in ("", "U") for width in ("", 8, 16, 32, 64)]
    for name in ("Data", "Date", "URL", "UUID", "CharacterSet", "DateInterval", "URLRequest"):
        pairs.append((f"Foundation.{name}", f"NS{name}"))
    return "".join(_BRIDGING.format(type=value.split("<")[0], value=value, object=name) for value, name in pairs)
