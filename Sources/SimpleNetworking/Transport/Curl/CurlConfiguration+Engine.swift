#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Creates libcurl's engine from the settings of a transport.
    extension CurlConfiguration {
        /// Creates the engine that the settings describe; nil if libcurl is missing or if memory has run out.
        func makeEngine() -> OpaquePointer? {
            let pins = pinnedPublicKeys.map { $0.hasPrefix("sha256//") ? $0 : "sha256//" + $0 }
            let settings = [
                caFile?.path, clientCertificate?.certificate.path, clientCertificate?.key.path,
                clientCertificate?.password, pins.isEmpty ? nil : pins.joined(separator: ";"),
                // For libcurl, an empty string means no proxy at all.
                proxy.map { $0.url?.absoluteString ?? "" },
                proxy?.credentials.map { "\($0.user.percentEncoded):\($0.password.percentEncoded)" },
            ]
            let texts = settings.map { $0.flatMap(\.copyForC) }
            defer { texts.forEach { free($0) } }
            // Omitting one would change what is trusted.
            guard zip(settings, texts).allSatisfy({ $0 == nil || $1 != nil }) else { return nil }
            var options = SNEngineOptions(
                connections_per_host: max(connectionsPerHost, 1),
                connections_per_prompt_host: max(min(connectionsPerPromptHost, connectionsPerHost), 1),
                connections_in_total: max(connectionsInTotal, 1),
                // Offsets within the fields have 32 bits.
                max_header_bytes: min(max(maxHeaderSize, 0), Int(Int32.max)),
                ca_file: UnsafePointer(texts[0]),
                certificate: UnsafePointer(texts[1]),
                key: UnsafePointer(texts[2]),
                key_password: UnsafePointer(texts[3]),
                pinned_keys: UnsafePointer(texts[4]),
                proxy: UnsafePointer(texts[5]),
                proxy_credentials: UnsafePointer(texts[6]),
                resume: { unsafeBitCast($0, to: UnsafeContinuation<Void, Never>.self).resume() },
                pull: { source(at: $0)?.pull() },
                rewind: { source(at: $0)?.rewind() },
                release_source: { source in
                    let address = UInt(bitPattern: source)
                    afterTurn { release(sourceAt: address) }
                },
                release_keeper: { keeper in
                    let address = UInt(bitPattern: keeper)
                    afterTurn { release(at: address) }
                },
                run: { job, executor in
                    let executor = executor.map { Unmanaged<CurlExecutor>.fromOpaque($0).takeUnretainedValue() }
                    executor?.run(unsafeBitCast(job, to: UnownedJob.self))
                },
                call_help: { engine in
                    let address = UInt(bitPattern: engine)
                    DispatchQueue.global().async { OpaquePointer(bitPattern: address).map(sn_engine_help) }
                },
                context: nil
            )
            return sn_engine_create(&options)
        }
    }

    /// Runs work that may be slow or that may run the caller's code, such as a deinitializer.
    private func afterTurn(_ body: @escaping @Sendable () -> Void) {
        if sn_thread_has_turn() { DispatchQueue.global().async(execute: body) } else { body() }
    }

    private func release(sourceAt address: UInt) {
        UnsafeMutableRawPointer(bitPattern: address).flatMap(source(at:))?.close()
        release(at: address)
    }

    private func release(at address: UInt) {
        UnsafeMutableRawPointer(bitPattern: address).map { Unmanaged<AnyObject>.fromOpaque($0).release() }
    }

    extension String {
        /// The percent-encoded string.
        ///
        /// libcurl decodes the user name and the password, so either may contain a colon.
        fileprivate var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }

        /// A copy of the string; nil if memory has run out, or if C would truncate the string.
        fileprivate var copyForC: UnsafeMutablePointer<CChar>? { utf8.contains(0) ? nil : strdup(self) }
    }
#endif
