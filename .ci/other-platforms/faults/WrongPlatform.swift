// android windows: cannot find 'onlyLinux' in scope
import Foundation

#if os(Linux)
    func onlyLinux() {}
#endif

func run() { onlyLinux() }
