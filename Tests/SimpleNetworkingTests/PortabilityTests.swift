import Foundation
import Testing

/// Keeps out what only one C library has: the package is compiled with glibc, musl, Bionic and Darwin.
@Suite
struct PortabilityTests {
    /// Constants that glibc alone makes cases of enumerations, and types that only its headers have.
    private static let glibcNames = #"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\.rawValue\b|\b__\w+_t\b|\b__socket_type\b"#

    private static func names(in text: String) throws -> [String] {
        // The expression is slow, and few lines can have such a name.
        guard text.contains(".rawValue") || text.contains("__") else { return [] }
        let lines = text.split(separator: "\n").filter { $0.contains(".rawValue") || $0.contains("__") }
        let code = lines.map { $0.replacing(/\/\/.*|"(?:[^"\\]|\\.)*"/, with: "") }.joined(separator: "\n")
        return code.matches(of: try Regex(glibcNames)).map { String(code[$0.range]) }
    }

    @Test
    func noSourceNamesWhatOnlyGlibcHas() throws {
        var count = 0
        for file in try Self.files(["Sources", "Tests"], "swift") {
            #expect(try Self.names(in: file.text) == [], "\(file.path)")
            count += 1
        }
        #expect(count > 200)
    }

    @Test
    func aNameOfGlibcIsFound() throws {
        #expect(try Self.names(in: "socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)") == ["SOCK_STREAM.rawValue"])
        #expect(try Self.names(in: "getrlimit(__rlimit_resource_t(7), &limit)") == ["__rlimit_resource_t"])
        #expect(try Self.names(in: "MediaType.json.rawValue + ssize_t(1)") == [])
    }

    /// Where glibc is imported as the C library, musl and Bionic are, too.
    @Test
    func whatImportsGlibcImportsTheOthers() throws {
        for file in try Self.files(["Sources", "Tests"], "swift") where file.text.contains("#else\n    import Darwin") {
            for library in ["Glibc", "Musl", "Android"] {
                #expect(file.text.contains("canImport(\(library))"), "\(file.path)")
            }
        }
        for file in try Self.files(["Sources"], "swift") where file.text.contains("import Glibc") {
            #expect(file.path == "Sources/SimpleNetworkingSupport/Exports.swift")
            #expect(file.text.contains("canImport(Musl)"))
        }
    }

    /// Functions of glibc that musl lacks.
    @Test
    func theEngineCallsNoFunctionThatMuslLacks() throws {
        let functions = ["gnu_get_libc_version", "backtrace(", "mallinfo", "malloc_trim", "qsort_r", "execinfo.h"]
        for file in try Self.files(["Sources/CLibcurl"], "c") {
            for function in functions { #expect(!file.text.contains(function), "\(file.path): \(function)") }
        }
    }

    /// Where `Int` has 32 bits, `Int(_:)` ends the process for what a server or a file says.
    @Test
    func noNumberOfATransferIsConvertedInAWayThatTraps() throws {
        for file in try Self.files(["Sources/SimpleNetworkingCore/Transport"], "swift") {
            let calls = file.text.matches(
                of: #/\bInt(32|64)?\((?!clamping:|exactly:|saturating:|max\(|Int32\.max)[^)]*/#
            )
            #expect(calls.map { String($0.output.0) } == [], "\(file.path)")
        }
    }

    /// Where `long` and `size_t` have 32 bits, these overflow.
    @Test
    func theEngineMultipliesNoLongAndDoublesInOnePlace() throws {
        for file in try Self.files(["Sources/CLibcurl"], "c") {
            for line in file.text.split(separator: "\n") {
                #expect(!line.contains(#/\* *1000/#) || line.contains("(int64_t)"), "\(file.path): \(line)")
                #expect(!line.contains(#/[cC]apacity \*=? \d/#), "\(file.path): \(line)")
            }
        }
    }

    private static func files(_ folders: [String], _ kind: String) throws -> [(path: String, text: String)] {
        try folders.flatMap { folder in
            let root = SourceFile.package.appendingPathComponent(folder)
            let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            return try paths.filter { $0.hasSuffix(".\(kind)") && !$0.contains(".build") }.map {
                ("\(folder)/\($0)", try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))
            }
        }
    }
}
