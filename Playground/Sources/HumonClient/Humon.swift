import SimpleNetworking

/// Talks to Humon, where people meet: users, events and attendances.
///
/// ```swift
/// let humon = Humon(appSecret: Secret("…"))
/// humon.createUser { _ in
///     humon.fetchEvents(in: region) { result in print(result) }
/// }
/// ```
///
/// Handlers run where they were written, and on the main queue if no actor's code wrote them.
public final class Humon: SimpleNetworking, @unchecked Sendable {
    /// The client of the app: staging, in the edition of 2016.
    ///
    /// The app's secret is the one that the staging server was set up with.
    public static let shared = Humon(appSecret: Secret("demo-secret"))

    /// Where Humon can be tried out.
    public static let staging =
        URL(string: "https://humon-staging.herokuapp.com/v1/") ?? URL(fileURLWithPath: "/")

    /// How the server expects requests to be signed.
    public let edition: HumonEdition
    /// The user of the app.
    public let account: HumonAccount
    private let appSecret: Secret

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - baseURL: The API's URL, with its version. The default is ``staging``.
    ///   - edition: The way to sign requests. The default is `.users`.
    ///   - appSecret: What requests are signed with as long as there is no user.
    ///   - account: The user of the app. The default is an account in memory.
    ///   - session: A session to use as it is, until a user is created. The default is none.
    ///   - configure: Changes the configuration.
    public init(
        baseURL: URL = Humon.staging,
        edition: HumonEdition = .users,
        appSecret: Secret,
        account: HumonAccount = HumonAccount(),
        session: URLSession? = nil,
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        self.edition = edition
        self.account = account
        self.appSecret = appSecret
        super.init(baseURL: baseURL, session: session) { configuration in
            configuration.sessionConfiguration = edition.sessionConfiguration(for: account, appSecret: appSecret)
            configuration.secretHeaders = [edition.secretField, edition.tokenField]
            configuration.encoder = .humon
            configuration.decoder = JSONDecoder.humon
            configuration.callbackQueue = .main
            configure(&configuration)
        }
    }

    /// Remembers a user, and signs requests as them from now on.
    ///
    /// Requests in flight continue with the session that they started with.
    func signIn(as user: NewUser) {
        account.userID = user.id
        account.token = user.token
        signRequests()
    }

    /// Forgets the user, and signs requests as the app from now on.
    public func logOut() {
        account.forget()
        signRequests()
    }

    private func signRequests() {
        replaceSession(configuration: edition.sessionConfiguration(for: account, appSecret: appSecret))
    }

    /// Executes a request, and passes its value or error to one closure.
    func start<Value: Decodable & SendableMetatype>(
        _ request: SimpleRequest,
        _ type: Value.Type,
        isolation actor: (any Actor)?,
        _ completion: @escaping (Result<Value, SimpleNetworkingError>) -> Void
    ) -> SimpleRequest {
        request.on(isolation: actor, completion: type, completion).execute(on: self)
    }
}
