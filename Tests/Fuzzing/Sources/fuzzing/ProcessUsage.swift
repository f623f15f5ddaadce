#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// What this process holds of the system's; zeros where the system doesn't tell.
struct ProcessUsage: CustomStringConvertible {
    let memory: Int
    let files: Int
    let threads: Int

    init() {
        Self.trim()
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        memory = (Int(line?.filter(\.isNumber) ?? "") ?? 0) * 1024
        files = Self.entries("/proc/self/fd")
        threads = Self.entries("/proc/self/task")
    }

    var description: String {
        String(format: "%.1f MB, %d descriptors, %d threads", Double(memory) / 1e6, files, threads)
    }

    /// Gives what is free back to the system, so that only what is held counts.
    private static func trim() {
        // The module map of glibc does not have it.
        guard let function = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") else { return }
        _ = unsafeBitCast(function, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    private static func entries(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0
    }
}
