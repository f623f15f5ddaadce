import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

struct SaturatingNumbersTests {
    @Test(
        arguments: [
            (1, 2, 3, -1), (.max, 1, .max, .max - 1), (.min, 1, .min + 1, .min), (.max, -1, .max - 1, .max),
            (.min, -1, .min, .min + 1), (0, .min, .min, .max), (.max, .max, .max, 0), (.min, .min, .min, 0),
        ] as [(Int, Int, Int, Int)]
    )
    func sumsAndDifferencesStopAtTheEnds(left: Int, right: Int, sum: Int, difference: Int) {
        #expect(left.addingSaturated(right) == sum)
        #expect(left.subtractingSaturated(right) == difference)
    }

    @Test(
        arguments: [
            (0, 0), (1.9, 1), (-1.9, -1), (9e18, 9_000_000_000_000_000_000), (1e19, .max), (-1e19, .min),
            (.infinity, .max), (-.infinity, .min), (.nan, 0), (9_223_372_036_854_775_808, .max),
            (-9_223_372_036_854_775_808, .min),
        ] as [(Double, Int64)]
    )
    func numbersBeyondTheEndsAreTheEnds(number: Double, whole: Int64) {
        #expect(Int64(saturating: number) == whole)
    }

    @Test
    func smallerTypesSaturateEarlier() {
        #expect(Int32(saturating: 2_147_483_648) == .max)
        #expect(UInt8(saturating: -1) == 0)
    }
}
