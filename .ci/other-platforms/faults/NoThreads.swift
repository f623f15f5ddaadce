// windows: cannot find type 'pthread_mutex_t' in scope
import Foundation

func lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {}
