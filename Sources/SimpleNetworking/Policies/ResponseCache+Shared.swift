extension ResponseCache {
    private static let named = Locked<[String: ResponseCache]>([:])

    /// Gives the one cache of this name, in a folder of its own among the user's caches.
    ///
    /// - Parameters:
    ///   - name: Any name, such as the host of an API. It counts for all that runs with the same caches folder.
    ///   - memoryLimit: Bytes to keep in memory, if this call is the name's first. The default is 4 MiB.
    ///   - diskLimit: Bytes to keep on disk, if this call is the name's first. The default is 20 MiB.
    /// - Returns: The cache, the same for each call.
    public static func shared(
        named name: String,
        memoryLimit: Int = 4 << 20,
        diskLimit: Int = 20 << 20
    ) -> ResponseCache {
        named.withLock { named in
            if let cache = named[name] { return cache }
            let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            // Any name makes a folder, and no two names make the same.
            let folder = "SimpleNetworking/\(Digest([name], salt: []).text)"
            let cache = ResponseCache(
                folder: caches?.appendingPathComponent(folder),
                memoryLimit: memoryLimit,
                diskLimit: diskLimit
            )
            named[name] = cache
            return cache
        }
    }
}
