#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    extension CurlTransfer {
        var headers: HTTPHeaders {
            var count = 0
            guard let fields = sn_transfer_fields(pointer, &count), let head = sn_transfer_head(pointer) else {
                return [:]
            }
            var list: [HTTPHeaders.Field] = []
            list.reserveCapacity(count)
            for field in UnsafeBufferPointer(start: fields, count: count) {
                let name = UnsafeBufferPointer(start: head + Int(field.name), count: Int(field.name_length))
                let value = UnsafeBufferPointer(start: head + Int(field.value), count: Int(field.value_length))
                list.append(HTTPHeaders.Field(name.fieldText, value.fieldText))
            }
            return HTTPHeaders(fields: list)
        }

        var body: Data {
            let count = sn_transfer_body_count(pointer)
            // A copy of little is cheaper than memory that changes hands.
            guard count > 32 << 10 else {
                return sn_transfer_body(pointer).map { Data(bytes: $0, count: count) } ?? Data()
            }
            return sn_transfer_take_body(pointer).map { Data(bytesNoCopy: $0, count: count, deallocator: .free) }
                ?? Data()
        }
    }

    extension UnsafeBufferPointer<UInt8> {
        /// Any byte may come in a field; those that are not UTF-8 are Latin-1 (RFC 9110 §5.5).
        fileprivate var fieldText: String {
            // Nearly all are ASCII, which needs no second look.
            if allSatisfy({ $0 < 0x80 }) { return String(decoding: self, as: UTF8.self) }
            return String(validating: self, as: UTF8.self)
                ?? String(String.UnicodeScalarView(lazy.map { Unicode.Scalar($0) }))
        }
    }

    extension TransferProgress {
        init(_ progress: SNProgress) {
            self.init(
                bytesSent: Int(progress.sent),
                bytesToSend: progress.to_send > 0 ? Int(progress.to_send) : nil,
                bytesReceived: Int(progress.received),
                bytesToReceive: progress.to_receive > 0 ? Int(progress.to_receive) : nil
            )
        }
    }

    extension TransferMetrics {
        init(_ result: SNResult) {
            self.init(total: TimeInterval(result.total) / 1e6)
            if !result.is_reused {
                nameLookup = TimeInterval(result.name_lookup) / 1e6
                connect = TimeInterval(result.connect) / 1e6
                secureConnect = result.secure_connect > 0 ? TimeInterval(result.secure_connect) / 1e6 : nil
            }
            firstByte = TimeInterval(result.first_byte) / 1e6
            bytesSent = Int(result.sent)
            bytesReceived = Int(result.received)
            isReusedConnection = result.is_reused
            protocolName =
                switch result.http_version {
                case 1: "http/1.0"
                case 2: "http/1.1"
                case 3: "h2"
                default: nil
                }
            remoteAddress = withUnsafeBytes(of: result.address) { address in
                address.first == 0 ? nil : String(decoding: address.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
    }
#endif
