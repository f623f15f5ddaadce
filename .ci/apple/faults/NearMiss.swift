// nearly matches optional requirement
import Foundation

final class Delegate: NSObject, URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithErrors error: (any Error)?) {}
}
