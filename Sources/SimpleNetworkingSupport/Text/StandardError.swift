/// Writes to standard error.
package enum StandardError {
    /// Writes the whole text; nothing can be done about a failure.
    package static func write(_ text: String) {
        #if os(Windows)
            FileHandle.standardError.write(Data(text.utf8))
        #else
            let bytes = Array(text.utf8)
            var start = 0
            while start < bytes.count {
                let count = bytes[start...].withUnsafeBytes { writeBytes(STDERR_FILENO, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                start += count
            }
        #endif
    }
}

#if !os(Windows)
    // Outside the type, whose own function has the same name.
    private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        write(file, bytes, count)
    }
#endif
