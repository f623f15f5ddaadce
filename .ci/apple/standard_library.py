"""Makes the interfaces of Swift's own modules for an Apple target out of those that the toolchain has for Linux.

They keep every `@available(macOS …, iOS …)`, and nearly all else is the same. Compiling the bodies that could be inlined takes
most of the time, so they are left out. Those of Bool, Int, UInt and of literals stay: the compiler needs them to follow
`while true`, to find literals that overflow, and to work out the constants that tests are found by.
"""

import pathlib
import re

MODULES = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_RegexParser", "_StringProcessing"]
FOR_TESTS = ["_TestingInterop", "Testing"]

_INLINABLE = re.compile(r"@(inlinable|_alwaysEmitIntoClient|_transparent)\b")
_ACCESSOR = re.compile(
    r"\s*(@\w+(\(.*?\))? |(non)?mutating |borrowing |consuming |__consuming )*"
    r"(get|set|_?read|_?modify|unsafe(Mutable)?Address)\b"
)
_DECLARATION = re.compile(r"\b(func|var|init|subscript)\b")
_BASIC_TYPE = re.compile(r"(@frozen public struct|extension) (Swift\.)?(Bool|U?Int)\b.*\{$")


def interface(module, target, toolchain):
    """Returns the text of a module's interface for the target."""
    folder = toolchain / "lib/swift/linux" / f"{module}.swiftmodule"
    text = next(file for file in folder.glob("*.swiftinterface") if ".private." not in file.name).read_text()
    text = re.sub(r"-target \S+", f"-target {target}", text, count=1)
    text = text.replace("-disable-objc-interop", "-enable-objc-interop").replace(" -O ", " -Onone ", 1)
    text = re.sub(r"^import Glibc\n", "", text, flags=re.MULTILINE)
    text = _shortened(text, module, has_32_bit_words=target.startswith("arm64_32"))
    if module == "Swift":
        text += (pathlib.Path(__file__).parent / "interfaces/Swift+ObjectiveC.swift").read_text()
    return text


def _shortened(text, module, has_32_bit_words):
    body = "Builtin.unreachable()" if module == "Swift" else "Swift.fatalError()"
    lines, result, i, is_basic = text.split("\n"), [], 0, False
    while i < len(lines):
        line = lines[i]
        i += 1
        is_basic = _BASIC_TYPE.match(line) is not None or (is_basic and line != "}")
        if line.lstrip().startswith("@backDeployed") and not _has_body(lines, i):
            continue
        if has_32_bit_words:
            line = line.replace("return 0x4000_0000_0000_0000", "return 0x4000_0000")
        if is_basic and has_32_bit_words:
            line = re.sub(r"Builtin\.\w+", _narrow, line)
        if not _INLINABLE.search(line) or ("@_transparent" in line and (is_basic or "(_builtin" in line)):
            result.append(line)
            continue
        result.append(_no_longer_transparent(line))
        is_property = _DECLARATION.search(line) and _ACCESSOR.match(lines[i])
        if line.endswith("{") and not is_property and (_DECLARATION.search(line) or _ACCESSOR.match(line)):
            i = _end_of_body(lines, i)
            result += [body, "}"]
    return "\n".join(result)


def _end_of_body(lines, i):
    depth = 1
    while depth > 0:
        code = re.sub(r'"(\\.|[^"\\])*"', "", lines[i])
        depth += code.count("{") - code.count("}")
        i += 1
    return i


# A machine word is never longer than 64 bits, and never shorter than 32.
def _narrow(builtin):
    name = builtin[0].replace("Int64", "Int32")
    return re.sub("[sz]ext(OrBitCast_Word_)", r"trunc\1", re.sub("trunc(OrBitCast_Int32_Word)", r"zext\1", name))


# An unreachable body must not be inlined.
def _no_longer_transparent(line):
    is_inlinable = re.search(r"@(inlinable|_alwaysEmitIntoClient)\b", line)
    return line.replace("@_transparent ", "" if is_inlinable else "@inlinable ")


def _has_body(lines, i):
    while not _DECLARATION.search(lines[i]):
        i += 1
    return "{" in lines[i]
