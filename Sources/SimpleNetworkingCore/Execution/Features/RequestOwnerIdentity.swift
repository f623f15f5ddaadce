import SimpleNetworkingSupport

/// Tells for whom a request is sent: all that is in it and may distinguish accounts.
package struct RequestOwnerIdentity: Sendable {
    /// The request, without fields that don't count.
    package let head: RequestHead
    /// The names of the fields that authorize the account; their values may change with each token.
    package let proofs: [String]
    /// The cookies that the transport itself adds.
    let cookies: [String]
    /// The account that the authenticator returns, if any.
    private let account: String?
    /// The fields that don't distinguish accounts.
    private let sharing: CrossOriginFields

    init(
        of head: RequestHead,
        account: String? = nil,
        proofs: [String] = [],
        sharing: CrossOriginFields = CrossOriginFields(),
        cookies: [String] = []
    ) {
        self.head = head
        self.account = account
        self.proofs = proofs
        self.sharing = sharing
        self.cookies = cookies
    }

    /// Reads a request with its credential and its cookies, without these fields.
    init(of request: TransportRequest, without added: HTTPHeaders = [:], in plan: RequestPlan) {
        var head = request.head
        head.headers.remove(added)
        let proofs = request.signature?.value.proofs(in: head.headers) ?? []
        self.init(
            of: head,
            account: proofs.isEmpty ? nil : request.signature?.value.account,
            proofs: proofs,
            sharing: plan.sharing,
            cookies: plan.engine.addedCookies(request.url)
        )
    }

    /// Returns a digest that differs for accounts.
    package func digest(salt: [UInt8]) -> Digest {
        let credentials = head.headers.fields.filter { field in
            !sharing.isShared(field) && !proofs.contains { $0.isSameFieldName(as: field.name) }
        }
        var parts = [account.map { "account " + $0 } ?? "", head.url.user ?? "", head.url.password ?? ""]
        parts += credentials.map { $0.name.lowercased() + ":" + $0.value }.sorted()
        parts += cookies.map { "cookie " + $0 }.sorted()
        return Digest(parts, salt: salt)
    }
}

extension HTTPHeaders {
    /// Removes these fields, but not others of the same names.
    fileprivate mutating func remove(_ added: HTTPHeaders) {
        if added.isEmpty { return }
        self = HTTPHeaders(
            fields: fields.filter { field in
                !added.contains { $0.name.isSameFieldName(as: field.name) && $0.value == field.value }
            }
        )
    }
}
