// has non-Sendable type 'NSMutableDictionary'
import Foundation

final class Words: Sendable {
    let words = NSMutableDictionary()
}
