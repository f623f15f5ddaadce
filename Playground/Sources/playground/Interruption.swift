import Dispatch
import Foundation

/// Waits for Control-C, or for a polite `kill`.
enum Interruption {
    static func wait() async {
        let (signals, arrived) = AsyncStream<Void>.makeStream()
        let sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before the source hears of the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { arrived.finish() }
            source.resume()
            return source
        }
        for await _ in signals {}
        for source in sources { source.cancel() }
    }
}
