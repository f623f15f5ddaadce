import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    /// What only libcurl's message tells, because it has one code for several failures.
    ///
    /// A message that another version writes otherwise makes an error less exact, and nothing else. The words are those of
    /// libcurl 7.68 to 8.18.
    extension CurlFailure {
        /// Whether it has received more fields than it takes: a trailer field, or the fields of HTTP/2.
        var hasTooManyFields: Bool {
            // The second is what its callback returns to nghttp2 (NGHTTP2_ERR_CALLBACK_FAILURE).
            says("Out of memory in chunked", "mem_recv() returned -902")
        }

        /// Whether a proxy has refused a tunnel.
        var isRefusalOfTunnel: Bool { says("CONNECT") }

        /// Whether frames of HTTP/2, chunks or the size of the fields break the rules.
        var isMalformed: Bool { says("nghttp2_session_mem_recv", "chunk", "Too large") }

        /// Whether the response breaks the rules for a stream; a server that says so of the request looks the same.
        var isMalformedStream: Bool { says("PROTOCOL_ERROR", "FLOW_CONTROL_ERROR", "FRAME_SIZE_ERROR") }

        /// Whether the server has refused TLS, most often for the lack of a certificate; the words are OpenSSL's.
        var isRefusalOfTLS: Bool {
            says("alert")
                && says("certificate", "unknown ca", "access denied", "decrypt error", "handshake failure")
        }

        private func says(_ phrases: String...) -> Bool { phrases.contains(where: words.contains) }
    }
#endif
