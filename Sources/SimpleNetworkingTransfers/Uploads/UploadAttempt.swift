import SimpleNetworkingFeatureSupport

/// The steps of a resumable upload from one interruption to the next.
struct UploadAttempt: Sendable {
    typealias Outcome = Result<TransportResponse, any Error>

    let request: TransportRequest
    let content: UploadContent
    /// The response to the last request that sent content.
    let answer: Locked<TransportResponse?>
    let draft: UploadDraft
    /// Stores the upload's URL for a later run of the program; nil if the URL isn't stored.
    let record: UploadRecord?
    let attempt: Attempt
    let next: Middleware.Next

    /// The upload, if a request with this content began it.
    var known: OfferedUpload? {
        guard let upload = attempt.upload, upload.state.target == request.url, upload.state.draft == draft,
            upload.content == content
        else { return nil }
        return upload.state
    }

    /// The upload that an earlier run of the program began; nil if there is none.
    private var stored: OfferedUpload? {
        record?.url(ofUploadTo: request.url, draft, content).flatMap(upload)
    }

    private func upload(at location: String) -> OfferedUpload? {
        OfferedUpload(
            at: location,
            to: request.url,
            of: content.length,
            draft: draft,
            redirects: attempt.redirectPolicy,
            isTrusted: attempt.isTrusted
        )
    }

    /// Begins the upload, or resumes it if the execution or the record already knows it.
    func proceed() async -> Outcome {
        do {
            if let known { return .success(try await resume(known)) }
            if let stored { return .success(try await resume(stored, isStored: true)) }
            // Only a handler may have another request carried out in place of one that may have been.
            if attempt.hasUploadOfThisRound, !request.head.isRepeatable {
                throw lostResponse("the request has changed since")
            }
            return .success(try await begin())
        } catch { return .failure(error) }
    }

    /// Returns whether the server may still accept the rest of a known upload.
    func isInterrupted(by outcome: Outcome) -> Bool {
        switch outcome {
        case .success(let response): response.httpStatus >= 500
        case .failure(let error): attempt.mayPass(error, of: request.head)
        }
    }

    private func begin() async throws -> TransportResponse {
        var first = request
        draft.describeCreation(ofLength: content.length, in: &first.headers)
        first.report = { [self] event in
            if case .interim(UploadDraft.offerStatus, let headers) = event { note(headers) }
            if let report = request.report { report(event) } else { attempt.record(event) }
        }
        return try await send(first) { response in
            // Without interim responses, only this one can name the upload's URL.
            if response.httpStatus >= 500 || draft.isComplete(in: response.headers) == false { note(response.headers) }
        }
    }

    private func resume(_ known: OfferedUpload, isStored: Bool = false) async throws -> TransportResponse {
        // A handler may have had the request sent again.
        note(known)
        let requests = UploadRequests(upload: known, attempt: attempt, first: request)
        let state = try await next(requests.state)
        let status = state.httpStatus
        switch status {
        case 200...299: break
        case 404, 410:
            forget()
            // The server may have completed the upload, and then forgotten it.
            guard request.head.isRepeatable else { throw lostResponse("it no longer has the upload") }
            return try await begin()
        case 300...399: throw redirection
        // The URL of an earlier run may have expired, or belong to another user.
        case 400...499 where !ResumableUploadStage.passing.contains(status) || isStored && status == 403:
            forget()
            throw lostResponse("the upload's URL responds with status \(state.httpStatus)")
        default: return state
        }
        var upload = known
        do {
            try upload.update(from: state.headers)
        } catch {
            // Anything else may be a resource that has nothing to do with the upload.
            if draft.describesUpload(state.headers) { await cancel(requests) }
            throw contradiction(error.reason)
        }
        note(upload)
        // The server has processed the content, and responded with an error.
        if upload.isComplete, let answer = answer.withLock({ $0 }) {
            forget()
            return answer
        }
        return try await sendRest(of: upload)
    }

    private func sendRest(of upload: OfferedUpload) async throws -> TransportResponse {
        attempt.record(.note(UploadNote.resumed(offset: upload.offset)))
        let requests = UploadRequests(upload: upload, attempt: attempt, first: request)
        var response = try await send(requests.rest(content.rest(from: upload.offset)))
        switch response.httpStatus {
        // Without content and credentials for another origin, it is as after an upload in one piece.
        case 303 where Origin(upload.url) == Origin(request.url):
            // It is followed from the request that began the upload.
            if request.followsRedirects { response.headers.resolveLocation(against: upload.written) }
        // Any other would be followed from the request that began the upload, with its content and credentials.
        case 300...399: throw redirection
        // If the upload is complete, the server may repeat its response, or refuse the request.
        case 400...499 where upload.isComplete && !ResumableUploadStage.passing.contains(response.httpStatus):
            forget()
            throw lostResponse("it has the whole upload")
        // A conflict of the application's own is the response.
        case 409 where (draft.offset(in: response.headers) ?? 0) > upload.offset:
            answer.withLock { $0 = nil }
            throw NetworkFailure(.connectionLost, detail: "the server has received more of the upload than it said")
        default: break
        }
        // This is no response to the content.
        if upload.isComplete { answer.withLock { $0 = nil } }
        return response
    }

    /// Tells the server that the upload won't be resumed, and ignores the result.
    private func cancel(_ requests: UploadRequests) async {
        _ = try? await next(requests.cancellation)
    }

    /// Sends content, and rejects a success for only a part of it.
    private func send(
        _ request: TransportRequest,
        _ look: (TransportResponse) -> Void = { _ in }
    ) async throws -> TransportResponse {
        answer.withLock { $0 = nil }
        let response = try await next(request)
        look(response)
        if (200...299).contains(response.httpStatus), draft.isComplete(in: response.headers) == false {
            throw NetworkFailure(.connectionLost, detail: "the server has received only a part of the content")
        }
        answer.withLock { $0 = response }
        return response
    }

    /// Notes the upload's URL, which a later response can't change.
    private func note(_ headers: HTTPHeaders) {
        guard known == nil, let location = OfferedUpload.location(offeredIn: headers, by: draft) else { return }
        guard let upload = upload(at: location) else {
            let url = try? URLParts(resolving: location, against: request.url).url()
            if let reason = url.flatMap({ attempt.redirectPolicy.refusal(of: $0, from: request.url) }) {
                attempt.ignore("the server's URL for resuming the upload is not used: \(reason)")
            }
            return
        }
        note(upload)
        record?.write(upload, of: content)
    }

    private func note(_ upload: OfferedUpload) { attempt.note(upload, of: content) }

    /// Forgets the upload, which can't be resumed any more.
    func forget() {
        if let upload = attempt.upload { record?.remove(upload.state) }
        attempt.upload = nil
    }

    private var redirection: NetworkFailure { contradiction("the URL of the upload redirects") }

    /// Forgets an upload whose server contradicts the protocol, which another attempt can't fix.
    private func contradiction(_ reason: String) -> NetworkFailure {
        forget()
        return NetworkFailure(.malformedResponse, detail: reason)
    }

    private func lostResponse(_ reason: String) -> NetworkFailure {
        NetworkFailure(.connectionLost, detail: "the server's response to the upload was lost, and \(reason)")
    }
}

extension HTTPHeaders {
    /// Makes a `Location` absolute that is relative to the URL of its own request (RFC 9110 §10.2.2).
    fileprivate mutating func resolveLocation(against url: WrittenURL) {
        guard let location = self["Location"], values(for: "Location").count == 1,
            let resolved = try? URLParts(resolving: location, against: url.text).written()
        else { return }
        self["Location"] = resolved.text
    }
}
