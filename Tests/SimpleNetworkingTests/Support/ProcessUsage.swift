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

        private static func names(_ folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }
    }
#endif
