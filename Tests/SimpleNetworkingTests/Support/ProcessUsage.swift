#if os(Linux)
    import Foundation

    /// Counts the files and threads of this process.
    struct ProcessUsage: CustomStringConvertible {
        let files: Int
        let sockets: Int
        let threads: Int
        let engineThreads: Int

        init() {
            let files = ProcessUsage.names("/proc/self/fd"), threads = ProcessUsage.names("/proc/self/task")
            self.files = files.count
            self.threads = threads.count
            sockets = files.count {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return target?.hasPrefix("socket:") == true
            }
            engineThreads = threads.count {
                let name = try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
                return name?.hasPrefix("sn-curl") == true
            }
        }

        /// Tells whether nothing has leaked since another count.
        ///
        /// Dispatch's threads and its files for timers come and go as they like, but they are few.
        func isWithin(_ other: ProcessUsage) -> Bool {
            sockets <= other.sockets && engineThreads <= other.engineThreads
                && files <= other.files + 4 && threads <= other.threads + 16
        }

        var description: String {
            "\(files) files, \(sockets) of them sockets, \(threads) threads, \(engineThreads) of them the engine's"
        }

        /// The memory that this process has now, in bytes.
        static var memory: Int {
            let sizes = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            let pages = sizes.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        }

        /// The most memory that this process has had, in bytes.
        static var peak: Int {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return (line?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0) << 10
        }

        /// How long the threads of this process have run, in sum.
        static var processorTime: Duration {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }

        /// The bytes that the heap has given out, by the C library's own report; the pages that it keeps are no part of them.
        static var heap: Int {
            typealias Report = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
            var (text, size) = (UnsafeMutablePointer<CChar>?.none, 0)
            guard let symbol = dlsym(nil, "malloc_info"), let stream = open_memstream(&text, &size) else { return 0 }
            _ = unsafeBitCast(symbol, to: Report.self)(0, stream)
            fclose(stream)
            defer { free(text) }
            // Behind the arenas stand the totals: what is free in two kinds of lists, and what came from the system.
            let totals = text.map { String(cString: $0) }?.components(separatedBy: "</heap>").last ?? ""
            func sizes(_ element: String) -> [Int] {
                totals.components(separatedBy: element).dropFirst().compactMap {
                    let value = $0.components(separatedBy: "size=\"").dropFirst().first
                    return value.flatMap { Int($0.prefix(while: \.isNumber)) }
                }
            }
            let free = sizes("<total type=\"fast\"") + sizes("<total type=\"rest\"")
            let given = sizes("<system type=\"current\"") + sizes("<total type=\"mmap\"")
            return given.reduce(0, +) - free.reduce(0, +)
        }

        private static func names(_ folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }
    }
#endif
