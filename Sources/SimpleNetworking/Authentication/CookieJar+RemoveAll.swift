extension CookieJar {
    /// Removes all cookies, for example, when the user signs out.
    ///
    /// Cookies from responses to requests in flight are not stored. A request that was sent before, and is waiting to be
    /// resent, ends with the error of a sign-out instead, so that it isn't sent with the next user's cookies. Only if a
    /// refresh of a credential calls this method, the requests are resent after the refresh has succeeded, because their
    /// user is the same. The call must then come from the refresh's own task, or from a handler of its requests, and not
    /// from another queue.
    public func removeAll() {
        let isRefresh = RefreshScope.current.noteRemoval(from: self)
        removeAll(forOtherUser: !isRefresh)
    }
}
