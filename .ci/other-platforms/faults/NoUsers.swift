// windows: cannot find 'geteuid' in scope
import Foundation

func isMine(_ user: UInt32) -> Bool { user == geteuid() }
