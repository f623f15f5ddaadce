// android: value of optional type 'UnsafeRawPointer?' must be unwrapped
import Foundation

func write(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int { send(socket, bytes.baseAddress, bytes.count, 0) }
