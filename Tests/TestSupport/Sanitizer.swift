import Foundation

package enum Sanitizer {
    /// Whether the tests run under a sanitizer, which needs memory of its own: bounds on memory don't hold then.
    ///
    /// Runs under a sanitizer set its options.
    package static var isOn: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["ASAN_OPTIONS"] != nil || environment["TSAN_OPTIONS"] != nil
    }
}
