import SimpleNetworkingFeatureSupport
import Testing

@testable import SimpleNetworkingTransfers

@Suite
struct ContentRangeTests {
    @Test
    func aRangeHasABeginningAnEndAndPerhapsATotal() {
        let known = ContentRange("bytes 500-999/1000")
        #expect(known?.first == 500 && known?.last == 999 && known?.total == 1000)
        let open = ContentRange("Bytes 0-0/*")
        #expect(open?.first == 0 && open?.last == 0 && open?.total == nil && open != nil)
    }

    @Test(arguments: [
        nil, "", "bytes", "bytes */1000", "bytes 5-4/10", "bytes 0-10/10", "bytes -5/10", "bytes 0-/10", "items 0-1/2",
        "bytes 0-1/2/3", "bytes 0-1-2/9", "bytes 0-1", "bytes +0-1/2", "bytes 0-1/x", "bytes 0-99999999999999999999/*",
    ])
    func otherTextIsNoContentRange(field: String?) { #expect(ContentRange(field) == nil) }

    @Test(
        arguments: [
            ("bytes=0-1", 0..<2), ("Bytes=3-", 3..<10), ("bytes=-3", 7..<10), ("bytes=-11", 0..<10),
            ("bytes=9-99999999999999999999", nil), ("bytes=9-9223372036854775807", 9..<10), ("bytes=10-", nil),
            ("bytes=-0", nil), ("bytes=-", nil), ("bytes=2-1", nil), ("bytes=0-1,3-4", nil), ("bytes", nil),
            ("lines=0-1", nil), ("bytes=0-1-2", nil), ("", nil), ("bytes=+0-1", nil),
        ] as [(String, Range<Int>?)]
    )
    func rangeSelectsBytes(range: String, bytes: Range<Int>?) { #expect(ContentRange.bytes(range, of: 10) == bytes) }

    @Test(arguments: ["bytes=0-", "bytes=-1"])
    func emptyContentHasNoPart(range: String) { #expect(ContentRange.bytes(range, of: 0) == nil) }

    @Test(arguments: ["bytes=--9223372036854775808", "bytes=-+3", "bytes=--3"])
    func noPartSatisfiesASuffixThatIsNoNumber(range: String) {
        #expect(!ContentRange.satisfies(range, with: ["Content-Range": "bytes 7-9/10"]))
    }
}
