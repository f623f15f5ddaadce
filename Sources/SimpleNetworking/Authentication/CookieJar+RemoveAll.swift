extension CookieJar {
    /// Removes all cookies, for example, when the user signs out.
    ///
    /// Cookies from responses to requests in flight are not stored. A request that was sent before, and is waiting to be
    /// resent, ends with the error of a sign-out instead, so that it isn't sent with the next user's cookies. Only if a
    /// refresh of the client's credential calls this method, the requests are resent, because their user is the same.
    public func removeAll() { removeAll(forOtherUser: RefreshScope.current.isEmpty) }
}
