import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Creates libcurl's engine from the settings of a transport.
    extension CurlConfiguration {
        /// Creates the engine that the settings describe; nil if libcurl is missing or if memory has run out.
        func makeEngine() -> OpaquePointer? {
            var copies: [UnsafeMutablePointer<CChar>] = []
            defer { for copy in copies { free(copy) } }
            var isComplete = true
            func copy(_ text: String?) -> UnsafePointer<CChar>? {
                guard let text else { return nil }
                guard let copy = text.copyForC else {
                    isComplete = false
                    return nil
                }
                copies.append(copy)
                return UnsafePointer(copy)
            }
            let pins = pinnedPublicKeys.map { $0.hasPrefix("sha256//") ? $0 : "sha256//" + $0 }
            let credentials = proxy?.credentials.map { "\($0.user.percentEncoded):\($0.password.percentEncoded)" }
            var options = SNEngineOptions(
                connections_per_host: max(connectionsPerHost, 1),
                connections_per_prompt_host: max(min(connectionsPerPromptHost, connectionsPerHost), 1),
                connections_in_total: max(connectionsInTotal, 1),
                // Offsets within the fields have 32 bits.
                max_header_bytes: min(max(maxHeaderSize, 0), Int(Int32.max)),
                ca_file: copy(caFile?.path),
                certificate: copy(clientCertificate?.certificate.path),
                key: copy(clientCertificate?.key.path),
                key_password: copy(clientCertificate?.password),
                pinned_keys: copy(pins.isEmpty ? nil : pins.joined(separator: ";")),
                // For libcurl, an empty string means no proxy at all.
                proxy: copy(proxy.map { $0.url?.absoluteString ?? "" }),
                proxy_credentials: copy(credentials),
                // Without the prefix, libcurl may look the text up as a host's name.
                interface: copy(interface.map { (IPAddress($0) == nil ? "if!" : "host!") + $0 }),
                key_log: copy(keyLogFile?.path),
                resume: { UnsafeContinuation(pointer: $0).resume() },
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
                    executor?.run(UnownedJob(pointer: job))
                },
                call_help: { engine in
                    let address = UInt(bitPattern: engine)
                    DispatchQueue.global().async { OpaquePointer(bitPattern: address).map(sn_engine_help) }
                },
                context: nil
            )
            // Omitting one would change what is trusted.
            return isComplete ? sn_engine_create(&options) : nil
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
        fileprivate var percentEncoded: String { PercentEncoding.encode(self, keeping: .lettersAndDigits) }

        /// A copy of the string; nil if memory has run out, or if C would truncate the string.
        fileprivate var copyForC: UnsafeMutablePointer<CChar>? { utf8.contains(0) ? nil : strdup(self) }
    }
#endif
