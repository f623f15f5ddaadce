import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTesting

/// A list of numbers, divided into pages in every way there is.
package struct ListServer: Sendable {
    package enum Way: CaseIterable, Sendable {
        case links, linkHeader, numbers, numbersByTotal, numbersByEmptyPage, cursor, cursorAndMore, offset,
            offsetByEmptyPage
    }

    package struct Item: Codable, Sendable, Equatable {
        package let id: Int
    }

    package let way: Way
    package let count: Int
    /// The most that the server gives at once.
    package let size: Int

    package init(way: Way, count: Int, size: Int) {
        self.way = way
        self.count = count
        self.size = size
    }

    package var style: PaginationStyle {
        switch way {
        case .links: .links()
        case .linkHeader: .linkHeader(total: "X-Total")
        case .numbers, .numbersByTotal, .numbersByEmptyPage: .numbers(itemsPerPage: size)
        case .cursor: .cursor(at: "meta.cursor")
        case .cursorAndMore: .cursor(at: "meta.cursor", parameter: "after", more: "meta.more")
        // More than the server gives.
        case .offset, .offsetByEmptyPage: .offset(itemsPerPage: 10 * size)
        }
    }

    package func page(for request: TransportRequest) -> StubResponse {
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func number(_ name: String) -> Int? { query.first { $0.name == name }?.value.flatMap { Int($0) } }
        let pages = (count + size - 1) / max(size, 1)
        let start =
            switch way {
            case .links: number("__token") ?? 0
            case .linkHeader, .cursor: number("cursor") ?? 0
            case .cursorAndMore: number("after") ?? 0
            case .numbers, .numbersByTotal, .numbersByEmptyPage: ((number("page") ?? 1) - 1) * size
            case .offset, .offsetByEmptyPage: number("offset") ?? 0
            }
        let end = min(start + size, count)
        let isLast = end >= count
        var headers: HTTPHeaders = [:]
        var fields = [#""results": [\#((start..<max(end, start)).map { #"{"id": \#($0)}"# }.joined(separator: ","))]"#]
        switch way {
        case .links:
            let next = isLast ? "null" : #""/items?__nonce=n\#(end)&__token=\#(end)&limit=\#(size)""#
            fields += [#""next": \#(next)"#, #""prev": null"#]
        case .linkHeader:
            headers["Link"] = #"</items>; rel="first""# + (isLast ? "" : #", </items?cursor=\#(end)>; rel="next""#)
            headers["X-Total"] = String(count)
        case .numbers: fields.append(#""total_pages": \#(pages)"#)
        case .numbersByTotal: fields += [#""total": \#(count)"#, #""per_page": \#(size)"#]
        case .numbersByEmptyPage, .offsetByEmptyPage: break
        case .cursor: fields.append(#""meta": {"cursor": \#(isLast ? "null" : String(end))}"#)
        case .cursorAndMore: fields.append(#""meta": {"cursor": "\#(end)", "more": \#(!isLast)}"#)
        case .offset: fields.append(#""total": \#(count)"#)
        }
        return .json("{\(fields.joined(separator: ","))}", headers: headers)
    }

    package var transport: StubTransport {
        StubTransport().on("/items") { page(for: $0) }
    }
}
