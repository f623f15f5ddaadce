// musl android windows: constant 'number' used before being initialized
import Foundation

func number(_ text: String) -> Int {
    let number: Int
    if text.isEmpty { number = 0 }
    return number
}
