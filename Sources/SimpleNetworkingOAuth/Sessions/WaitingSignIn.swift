/// Stands for a sign-in whose user is away in a browser.
struct WaitingSignIn {
    let id: UUID
    let expected: ExpectedRedirect
    let redirects: AsyncThrowingStream<URL, any Error>.Continuation
}
