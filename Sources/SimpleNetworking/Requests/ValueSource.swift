/// What a handler that waits for a value gets to make it of.
struct ValueSource {
    let response: SimpleResponse?
    let decoder: any ResponseDecoder
    /// What was asked for.
    let specification: RequestSpecification
    /// How far the request has come, if it goes from page to page.
    let pages: PageProgress?
}
