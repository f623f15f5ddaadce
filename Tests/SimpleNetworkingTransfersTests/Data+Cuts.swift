import Foundation

extension Data {
    /// The bytes in chunks that end where it says; they share storage, as slices do.
    func cut(at places: [Int]) -> [Data] {
        let bounds = [0] + places.sorted() + [count]
        return zip(bounds, bounds.dropFirst()).map { self[startIndex + $0..<startIndex + $1] }
    }

    /// The bytes cut in two at each place, and into single bytes.
    var everyCut: [[Data]] { (0...count).map { cut(at: [$0]) } + [cut(at: Array(0...count))] }

    /// The bytes cut at random places.
    func cut(using generator: inout some RandomNumberGenerator) -> [Data] {
        cut(at: (0..<Int.random(in: 0...4, using: &generator)).map { _ in .random(in: 0...count, using: &generator) })
    }
}
