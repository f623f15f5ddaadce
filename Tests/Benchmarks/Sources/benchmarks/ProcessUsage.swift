/// What this process has used of the machine.
enum ProcessUsage {
    /// Seconds of all threads on the processors, the kernel's work for them counted in.
    static var cpuSeconds: Double { seconds(number(RUSAGE_SELF)) }

    /// Seconds of the programs that this one has started, and that have ended.
    static var cpuSecondsOfChildren: Double { seconds(number(RUSAGE_CHILDREN)) }

    private static func seconds(_ whose: Int32) -> Double {
        var usage = rusage()
        getrusage(whose, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// Bytes of memory in use now; 0 where the system does not tell.
    static var memory: Int { status("VmRSS") }

    /// The most bytes of memory in use since the start or the last `forgetPeak()`; 0 where the system does not tell.
    static var peakMemory: Int { status("VmHWM") }

    /// Resets the peak.
    static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// Lets the process have as many files and sockets as the system permits.
    static func raiseFileLimit() {
        var limit = rlimit()
        let resource = number(RLIMIT_NOFILE)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(resource, &limit)
    }

    private static func status(_ name: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") })
        else { return 0 }
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
}
