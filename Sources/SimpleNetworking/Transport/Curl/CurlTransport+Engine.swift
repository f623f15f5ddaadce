#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    extension CurlTransport {
        static func makeEngine(_ configuration: CurlConfiguration) -> OpaquePointer? {
            let pins = configuration.pinnedPublicKeys.map { $0.hasPrefix("sha256//") ? $0 : "sha256//" + $0 }
            let proxy = configuration.proxy
            let texts = [
                configuration.caFile?.path,
                configuration.clientCertificate?.certificate.path,
                configuration.clientCertificate?.key.path,
                configuration.clientCertificate?.password,
                pins.isEmpty ? nil : pins.joined(separator: ";"),
                // An empty text is libcurl's word for no proxy at all.
                proxy.map { $0.url?.absoluteString ?? "" },
                proxy.flatMap { $0.exceptions.isEmpty ? nil : $0.exceptions.joined(separator: ",") },
                proxy?.credentials.map { "\($0.user.percentEncoded):\($0.password.percentEncoded)" },
            ].map { $0.flatMap { strdup($0) } }
            defer { for text in texts { free(text) } }
            var options = SNEngineOptions(
                connections_per_host: max(configuration.connectionsPerHost, 1),
                connections_per_prompt_host: max(
                    min(configuration.connectionsPerPromptHost, configuration.connectionsPerHost),
                    1
                ),
                connections_in_total: max(configuration.connectionsInTotal, 1),
                max_header_bytes: max(configuration.maxHeaderSize, 0),
                ca_file: UnsafePointer(texts[0]),
                certificate: UnsafePointer(texts[1]),
                key: UnsafePointer(texts[2]),
                key_password: UnsafePointer(texts[3]),
                pinned_keys: UnsafePointer(texts[4]),
                proxy: UnsafePointer(texts[5]),
                no_proxy: UnsafePointer(texts[6]),
                proxy_credentials: UnsafePointer(texts[7]),
                resume: { unsafeBitCast($0, to: UnsafeContinuation<Void, Never>.self).resume() },
                pull: { Unmanaged<CurlUploadSource>.fromOpaque($0).takeUnretainedValue().pull() },
                rewind: { Unmanaged<CurlUploadSource>.fromOpaque($0).takeUnretainedValue().rewind() },
                drop: {
                    let owner = Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue()
                    (owner as? CurlUploadSource)?.close()
                }
            )
            return sn_engine_create(&options)
        }
    }

    extension String {
        /// libcurl decodes both halves of `user:password`, so that a colon can be in either.
        fileprivate var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }
    }
#endif
