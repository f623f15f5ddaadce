import SimpleNetworkingFeatureSupport

/// Writes a response's content to a partial file, and appends or starts over, depending on the head.
final class DownloadWriter: Sendable {
    /// The response's range or content differs from the requested one, or the partial file has changed.
    struct WrongRange: Error {}

    /// How the content of a response has ended.
    enum End {
        /// It was a part, after which the next one begins.
        case rest(PartialFile.Beginning)
        case whole(PartialFile.Whole)

        var whole: PartialFile.Whole? { if case .whole(let whole) = self { whole } else { nil } }
    }

    private struct State {
        var file: OwnedFile?
        var offset = 0
        var received = 0
        /// The range of the response, if it is partial.
        var part: ContentRange?
        /// Whether the transfer is over, so that later content is ignored.
        var isOver = false
        var isTooLarge = false

        /// The size of the file in bytes, if nothing else has written to it.
        var end: Int { offset.addingSaturated(received) }
    }

    private let file: PartialFile
    private let request: RequestHead
    /// The existing part of the file, if the rest is requested.
    private let beginning: PartialFile.Beginning?
    /// The maximum size of the file in bytes; nil for any.
    private let limit: Int?
    private let state = Locked(State())
    /// Is called with the number of a file that is begun.
    private let onBegin: @Sendable (UInt64) -> Void
    /// The request as it was sent, and for whom.
    private let sent = Locked<Sent?>(nil)

    private struct Sent {
        let url: URL
        let isUntrusted: Bool
        let owner: RequestOwnerIdentity
    }

    init(
        _ file: PartialFile,
        for request: RequestHead,
        resuming beginning: PartialFile.Beginning?,
        limit: Int?,
        onBegin: @escaping @Sendable (UInt64) -> Void
    ) {
        self.file = file
        self.request = request
        self.beginning = beginning
        self.limit = limit
        self.onBegin = onBegin
    }

    /// The number of bytes that precede the bytes of this response, and the size of the complete file, if known.
    var position: (offset: Int, total: Int?) {
        state.withLock { ($0.offset, $0.part.flatMap { $0.total ?? beginning?.length }) }
    }

    func note(_ sent: SentRequest, _ owner: RequestOwnerIdentity) {
        self.sent.withLock { $0 = Sent(url: sent.url, isUntrusted: sent.signed.isUntrusted, owner: owner) }
    }

    /// Writes a part under the lock, so that no part is written while or after the transfer ends.
    ///
    /// - Throws: `CancellationError` if the transfer is over, because a transport may ignore its timeout.
    func receive(_ part: ResponsePart) throws {
        try state.withLock { state in
            if state.isOver { throw CancellationError() }
            switch part {
            case .head(let status, let headers):
                // The response to a resumed upload may be interrupted, and then be repeated from its start.
                try state.file?.handle.close()
                state = State()
                try open(status, headers, &state)
            case .content(let data):
                state.received = state.received.addingSaturated(data.count)
                try check(size: state.end, &state)
                try state.file?.handle.write(contentsOf: data)
            }
        }
    }

    private func open(_ status: Int, _ headers: HTTPHeaders, _ state: inout State) throws {
        guard status == 206 else {
            let length = request.method == .head ? nil : headers.contentLength
            if headers.isIdentity { try check(size: length, &state) }
            let isResumable = status == 200 && request.method == .get
            let begun = try file.begin(isResumable ? source(of: headers, length: length) : nil)
            onBegin(begun.number)
            state.file = begun
            return
        }
        if let beginning {
            guard let part = ContentRange(headers["Content-Range"]), part.continues(beginning),
                headers.mayContinue(beginning), headers.isIdentity, wasSent(for: beginning)
            else { throw WrongRange() }
            try check(size: part.total ?? beginning.length, &state)
            guard let opened = file.append(at: beginning.offset) else { throw WrongRange() }
            state.file = opened
            state.offset = beginning.offset
            state.part = part
        } else {
            // A part must not be mistaken for the whole.
            guard let range = request.headers["Range"], ContentRange.satisfies(range, with: headers) else {
                throw malformed(
                    "it has a range that was not requested: \(headers["Content-Range"] ?? "no Content-Range")"
                )
            }
            state.file = try file.begin(nil)
        }
    }

    /// Returns whether the request was sent for the account whose content a beginning is, and to its URL, which user code
    /// may have changed while the request waited.
    private func wasSent(for beginning: PartialFile.Beginning) -> Bool {
        guard let sent = sent.withLock(\.self) else { return beginning.account == nil }
        guard sent.url == request.url else { return false }
        guard let account = beginning.account, !beginning.isOwn || sent.isUntrusted else { return true }
        return account.matches(sent.owner)
    }

    /// Returns the validator for requesting the rest later.
    ///
    /// The result is nil if the bytes can't be counted, or if there is no strong validator.
    private func source(of headers: HTTPHeaders, length: Int?) -> PartialFile.Source? {
        guard headers["Accept-Ranges"]?.lowercased() != "none", headers.isIdentity,
            let validator = headers.strongValidator
        else { return nil }
        // Variants of a resource, in several languages for example, may have the same date.
        let isDate = !validator.hasPrefix("\"")
        if isDate, headers.contains("Vary") { return nil }
        // A date may also be that of another user's content.
        let sent = sent.withLock(\.self)
        let account = isDate ? sent.map { AccountDigest(of: $0.owner) } : nil
        if isDate, account == nil { return nil }
        return file.source(at: sent?.url ?? request.url, validator: validator, length: length, account: account)
    }

    /// Rejects a file over the limit, of which no part is kept.
    private func check(size: Int?, _ state: inout State) throws {
        guard let limit, let size, size > limit else { return }
        state.isTooLarge = true
        throw SimpleNetworkingError.tooLarge(limit: limit, request)
    }

    /// Ends the response, whose content is the whole file unless it was a part that ends earlier.
    func finish() throws -> End {
        try state.withLock { state in
            if let end = state.part?.last.addingSaturated(1), state.end != end {
                // The beginning may not be continued after bytes that don't belong to it.
                if state.end > end { file.discard() }
                throw malformed("it ends with byte \(state.end) of \(end)")
            }
            // Not every transport reports a head.
            let whole = try state.file ?? file.begin(nil)
            let size = try whole.currentSize()
            guard size == state.end else {
                file.discard()
                throw malformed("\(state.end) bytes were written, and the file has \(size)")
            }
            state.isOver = true
            try whole.handle.close()
            if let beginning, let part = state.part, let rest = part.rest(after: beginning) { return .rest(rest) }
            return .whole(try file.seal(whole.number, size: size))
        }
    }

    private func malformed(_ detail: String) -> NetworkFailure { NetworkFailure(.malformedResponse, detail: detail) }

    /// Stops writing permanently, even if the transfer continues.
    func abort() {
        state.withLock { state in
            state.isOver = true
            let written = state.file.take()
            try? written?.handle.close()
            if state.isTooLarge || written != nil && !file.isResumable { file.discard() }
        }
    }
}

extension HTTPHeaders {
    /// Returns whether a part may continue the beginning, because some servers ignore `If-Range` (RFC 9110 §15.3.7.3).
    fileprivate func mayContinue(_ beginning: PartialFile.Beginning) -> Bool {
        let name = beginning.validator.hasPrefix("\"") ? "ETag" : "Last-Modified"
        return self[name].map { $0 == beginning.validator } ?? true
    }

    /// Whether the content isn't encoded, so that it can continue content that was decoded.
    fileprivate var isIdentity: Bool { members(of: "Content-Encoding").allSatisfy { $0.lowercased() == "identity" } }

    /// The announced length of the content; nil if it isn't a number.
    fileprivate var contentLength: Int? { self["Content-Length"].flatMap { $0.isNumber ? Int($0) : nil } }
}

extension ContentRange {
    /// Returns whether a response is within a request's `Range` (RFC 9110 §14.2).
    static func satisfies(_ range: String, with headers: HTTPHeaders) -> Bool {
        let isMultipart = headers.contentType?.essence == "multipart/byteranges"
        return satisfies(range, with: headers["Content-Range"], isMultipart: isMultipart)
    }

    /// Returns whether the part begins where the beginning ends, and belongs to content of the same length.
    fileprivate func continues(_ beginning: PartialFile.Beginning) -> Bool {
        guard first == beginning.offset else { return false }
        guard let length = beginning.length else { return true }
        return total.map { $0 == length } ?? (last < length)
    }

    /// Returns the beginning that ends with this part, or nil if that is the whole.
    ///
    /// A server may send less than was requested (RFC 9110 §15.3.7).
    fileprivate func rest(after beginning: PartialFile.Beginning) -> PartialFile.Beginning? {
        let end = last.addingSaturated(1)
        let length = total ?? beginning.length
        guard end != length else { return nil }
        return PartialFile.Beginning(
            offset: end,
            validator: beginning.validator,
            length: length,
            account: beginning.account,
            isOwn: beginning.isOwn
        )
    }
}
