#if canImport(Darwin)
    extension TransferMetrics {
        /// Takes what URLSession measured on the last connection of a task.
        mutating func take(_ metrics: URLSessionTaskMetrics) {
            total = metrics.taskInterval.duration
            guard let last = metrics.transactionMetrics.last, let start = last.fetchStartDate else { return }
            func seconds(_ date: Date?) -> TimeInterval? { date.map { $0.timeIntervalSince(start) } }
            nameLookup = seconds(last.domainLookupEndDate)
            connect = seconds(last.connectEndDate)
            secureConnect = seconds(last.secureConnectionEndDate)
            firstByte = seconds(last.responseStartDate) ?? firstByte
            bytesSent = Int(clamping: last.countOfRequestBodyBytesSent)
            bytesReceived = Int(clamping: last.countOfResponseBodyBytesReceived)
            isReusedConnection = last.isReusedConnection
            protocolName = last.networkProtocolName
            remoteAddress = last.remoteAddress
        }
    }
#endif
