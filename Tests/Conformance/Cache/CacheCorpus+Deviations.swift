/// The cases that are not met, and why.
extension CacheCorpus {
    static let required: [Corpus.Deviation] = [
        .init(
            reason: "met, but they depend on `stale-close`, which wants stale responses that no server permitted",
            rows: ["stale-close-must-revalidate", "stale-close-no-cache"]
        ),
        .init(
            reason: "`Set-Cookie` is not stored: a cookie would come back after it was removed",
            rows: ["headers-store-Set-Cookie"]
        ),
        .init(
            reason: "content in a transfer coding other than `chunked` is not stored",
            rows: ["headers-store-Transfer-Encoding"]
        ),
    ]

    static let optimal: [Corpus.Deviation] = [
        .init(reason: "only responses to GET are stored", rows: ["method-POST"]),
        .init(
            reason: "the order of languages counts, and `Content-Language` is not matched",
            rows: ["vary-normalise-lang-order", "vary-normalise-lang-select"]
        ),
        .init(
            reason: "partial content is not stored",
            rows: [
                "partial-store-partial-reuse-partial", "partial-store-partial-reuse-partial-byterange",
                "partial-store-partial-reuse-partial-absent", "partial-store-partial-reuse-partial-suffix",
                "partial-store-partial-complete",
            ]
        ),
        .init(reason: "requests with different cookies never share a response", rows: ["other-cookie"]),
    ]

    static let questions: [Corpus.Deviation] = [
        .init(
            reason: "of a repeated directive, the first counts",
            rows: ["freshness-max-age-two-stale-fresh-sameline", "freshness-max-age-two-stale-fresh-sepline"]
        ),
        .init(
            reason: "blanks around `=` don't matter",
            rows: ["freshness-max-age-space-before-equals", "freshness-max-age-space-after-equals"]
        ),
        .init(
            reason: "a lifetime that is not a whole number is 0",
            rows: [
                "freshness-max-age-decimal-zero", "freshness-max-age-decimal-five", "freshness-max-age-a100",
                "freshness-max-age-100a",
            ]
        ),
        .init(
            reason: "`no-cache` with the names of fields is `no-cache`",
            rows: [
                "headers-omit-headers-listed-in-Cache-Control-no-cache-single",
                "headers-omit-headers-listed-in-Cache-Control-no-cache",
            ]
        ),
        .init(
            reason: "a stale response stands in for an error only with `stale-if-error`, and `Warning` is obsolete",
            rows: ["stale-close", "stale-503", "stale-warning-stored", "stale-warning-become"]
        ),
        .init(
            reason: "a guessed lifetime is a tenth of the time since `Last-Modified`",
            rows: ["heuristic-delta-5", "heuristic-delta-10", "heuristic-delta-30"]
        ),
        .init(
            reason: "`only-if-cached` without a stored response ends with `.notCached`, not with a 504",
            rows: ["ccreq-oic"]
        ),
        .init(reason: "`Pragma: no-cache` in a request revalidates", rows: ["pragma-request-no-cache"]),
        .init(
            reason: "only a response that matches the request is revalidated",
            rows: ["conditional-etag-vary-headers-mismatch"]
        ),
        .init(
            reason: "an `ETag` without quotes gets none",
            rows: ["conditional-etag-strong-generate-unquoted", "conditional-etag-forward-unquoted"]
        ),
        .init(
            reason: "a 304 doesn't change fields that describe the stored content",
            rows: [
                "304-etag-update-response-Content-Encoding", "304-etag-update-response-Content-Range",
                "304-etag-update-response-Content-Type",
            ]
        ),
        .init(reason: "a 304 with another `ETag` is about another response", rows: ["304-etag-update-response-ETag"]),
        .init(reason: "a 304's `Set-Cookie` is not stored either", rows: ["304-etag-update-response-Set-Cookie"]),
        .init(
            reason: "a response to HEAD changes nothing that is stored",
            rows: ["head-200-retain", "head-200-freshness-update", "head-200-update", "head-410-update"]
        ),
        .init(reason: "the server's own responses get no `Age`", rows: ["other-age-delay"]),
    ]
}
