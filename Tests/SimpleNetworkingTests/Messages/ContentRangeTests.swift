import Testing

@testable import SimpleNetworking

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
    func allElseIsNone(field: String?) { #expect(ContentRange(field) == nil) }
}
