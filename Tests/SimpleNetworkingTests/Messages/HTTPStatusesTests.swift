import Foundation
import Testing

@testable import SimpleNetworkingCore

struct HTTPStatusesTests {
    @Test
    func setsAreMadeFromListsSetsAndRanges() {
        #expect(HTTPStatuses(400..<500) == .clientError)
        #expect(HTTPStatuses(500...599) == .serverError)
        #expect(HTTPStatuses(Set([200, 201])) == [200, 201])
        #expect(HTTPStatuses(400...).contains(599))
        #expect(!HTTPStatuses(400...).contains(399))
        #expect(HTTPStatuses(400..<400).description == "")
        #expect((generic(400...), generic(1..<1)) == (HTTPStatuses(400...), []))
    }

    private func generic(_ codes: some Sequence<Int>) -> HTTPStatuses { HTTPStatuses(codes) }

    @Test
    func setsWithTheSameCodesAreEqual() {
        #expect([304, 200] as HTTPStatuses == [200, 304, 200])
        #expect(HTTPStatuses.clientError.union(.serverError) == HTTPStatuses(400...599))
        #expect(HTTPStatuses(400...450).union(HTTPStatuses(410...420)) == HTTPStatuses(400...450))
    }

    @Test
    func anIntersectionHasTheCommonCodes() {
        let all = HTTPStatuses(100...999)
        #expect(all.intersection(.successful) == .successful)
        #expect(HTTPStatuses.successful.intersection(all) == .successful)
        #expect(([200, 206, 404] as HTTPStatuses).intersection(.successful) == [200, 206])
        #expect(HTTPStatuses(250...450).intersection([200, 250, 450, 451]) == [250, 450])
        #expect(HTTPStatuses.clientError.intersection(.successful) == [])
        #expect(([] as HTTPStatuses).intersection(all) == [])
    }

    @Test(
        arguments: [
            ([401], "401"), ([200, 304], "200, 304"), ([202, 201], "201, 202"), ([1, 2, 3], "1...3"),
            (.serverError, "500...599"),
        ] as [(HTTPStatuses, String)]
    )
    func aSetDescribesItself(statuses: HTTPStatuses, text: String) { #expect(statuses.description == text) }

    @Test
    func singleIsTheOnlyCode() {
        #expect(([401] as HTTPStatuses).single == 401)
        #expect(([401, 401] as HTTPStatuses).single == 401)
        #expect(([401, 402] as HTTPStatuses).single == nil)
        #expect(HTTPStatuses.clientError.single == nil)
    }
}
