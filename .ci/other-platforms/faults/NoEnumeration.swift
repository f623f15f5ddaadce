// musl android: value of type 'Int32' has no member 'rawValue'
import Foundation

let stream = Int32(SOCK_STREAM.rawValue)
