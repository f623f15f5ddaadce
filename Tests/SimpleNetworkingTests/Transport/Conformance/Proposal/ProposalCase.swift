import Testing

/// The cases of the conformance suite of apple/swift-http-api-proposal, by their names and in their order there.
enum ProposalCase: String, CaseIterable, Sendable {
    case testNotHTTP
    case testBadHTTPCase
    case testNoReason
    case test204WithContentLength
    case test304WithContentLength
    case testIncompleteBody
    case testNoLengthHint
    case testConflictingContentLength
    case testOk
    case testEchoString
    case testGzip
    case testDeflate
    case testBrotli
    case testIdentity
    case testCustomHeader
    case testBasicRedirect
    case testNotFound
    case testStatusOutOfRangeButValid
    case testStressTest
    case testGetConvenience
    case testPostConvenience
    case testCancelPreHeaders
    case testCancelPreBody
    case testEcho1MBBody
    case testUnderRead
    case testDripRead
    case testClientSendsEmptyHeaderValue
    case testInfiniteRedirect
    case testHeadWithContentLength
    case testServerSendsMultiValueHeader
    case testClientSendsMultiValueHeader
    case testBasicCookieSetAndUse
    case testEchoInterleave
    case testSpeakInterleave
    case testEmptyChunkedBody
    case testURLParams
    case testETag
    case testTrailerRead
    case testTrailerWrite
}

extension ProposalCase {
    /// What engines do instead of what a case wants.
    struct Deviation: Sendable {
        let engines: Set<Engine>
        let platforms: Limitation.Platforms
        /// The words of the article.
        let reason: String

        fileprivate init(_ engines: Set<Engine>, _ platforms: Limitation.Platforms, _ reason: String) {
            self.engines = engines
            self.platforms = platforms
            self.reason = reason
        }
    }

    private static let others = Set(Engine.allCases).subtracting(Engine.sessions)

    private var deviations: [Deviation] {
        switch self {
        case .testBadHTTPCase:
            [Deviation(Engine.sessions, .linux, "Foundation accepts the version in any case")]
        case .testNoReason:
            [Deviation(Engine.sessions, .linux, "Foundation requires a space after the status")]
        case .testCancelPreBody:
            [Deviation([.callersSession], .all, "the content arrives as a whole")]
        case .testEchoInterleave:
            [Deviation(Engine.sessions, .all, "content is complete before it is sent")]
        case .testSpeakInterleave:
            [
                Deviation(Self.others, .all, "the response ends only when the request's content has ended"),
                Deviation(Engine.sessions, .all, "content is complete before it is sent"),
            ]
        case .testTrailerRead:
            [
                Deviation(Engine.sessions, .linux, "Foundation crashes the process"),
                Deviation(Engine.sessions, .all, "URLSession reports no trailers"),
            ]
        case .testTrailerWrite:
            [Deviation(Engine.sessions, .all, "URLSession sends no trailers; refused")]
        default: []
        }
    }

    /// What the engine does instead on this platform; nil if it meets the case.
    func deviation(of engine: Engine) -> Deviation? {
        deviations.first { deviation in
            #if canImport(Darwin)
                guard deviation.platforms == .all else { return false }
            #endif
            return deviation.engines.contains(engine)
        }
    }
}
