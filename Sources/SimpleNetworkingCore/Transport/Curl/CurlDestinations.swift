import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Finds where the connections for a URL go, if not to the addresses that a name lookup gives for its host.
    struct CurlDestinations: Sendable {
        enum Place: Equatable, Sendable {
            /// IP addresses, separated by commas.
            case addresses(String)
            /// The path of a unix domain socket.
            case socket(String)
        }

        private struct Host: Hashable {
            private let name: String
            let address: IPAddress?
            /// The port; nil for any port.
            private let port: Int?

            init(_ host: String, port: Int?) {
                let name = host.hasSuffix(".") ? String(host.dropLast()) : host
                address = IPAddress(name)
                self.name = address == nil ? name : ""
                self.port = port
            }

            init?(_ text: String) {
                guard let parts = ProxyException.parts(of: text), let name = HostName.normalized(parts.host) else {
                    return nil
                }
                self.init(name, port: parts.port)
            }
        }

        private var places: [Host: Place] = [:]
        /// The reason why the settings can't be used, as the end of a sentence; nil if they can.
        private(set) var defect: String?

        init(_ configuration: CurlConfiguration, lacksSockets: Bool = sn_library_lacks_sockets()) {
            for (text, addresses) in configuration.addresses.sorted(by: { $0.key < $1.key }) {
                let parsed = addresses.map { (text: $0, isIPv6: IPAddress($0)?.bytes.count == 16) }
                let list = parsed.map { $0.isIPv6 ? "[\($0.text)]" : $0.text }.joined(separator: ",")
                let host = add(text, .addresses(list))
                if addresses.isEmpty { note("the host “\(text.shown)” is given no address") }
                if let strange = addresses.first(where: { IPAddress($0) == nil }) {
                    note("“\(strange.shown)”, given for the host “\(text.shown)”, is not an IP address")
                }
                if host?.address != nil { note("“\(text.shown)” is an address, which is given no other one") }
            }
            for (text, file) in configuration.unixSockets.sorted(by: { $0.key < $1.key }) {
                _ = add(text, .socket(file.path))
                if file.path.utf8.count > Self.longestPath {
                    note(
                        "“\(file.path.shown)” is longer than \(Self.longestPath) bytes, the limit for unix domain sockets"
                    )
                }
                if lacksSockets { note("libcurl was built without unix domain sockets") }
            }
        }

        /// The size of `sun_path`, without its NUL.
        private static let longestPath = 107

        private mutating func add(_ text: String, _ place: Place) -> Host? {
            guard let host = Host(text) else {
                note("“\(text.shown)” is not a host, such as api.example.com or localhost:8080")
                return nil
            }
            if places.updateValue(place, forKey: host) != nil { note("the host “\(text.shown)” is named twice") }
            return host
        }

        private mutating func note(_ text: String) { defect = defect ?? text }

        subscript(origin: Origin) -> Place? {
            places[Host(origin.host, port: origin.port)] ?? places[Host(origin.host, port: nil)]
        }

        var isEmpty: Bool { places.isEmpty }
    }

    extension CurlTransfer {
        /// Connects to the place that the settings name for the request's host, if they name one; after the head is set.
        func setDestination(of request: TransportRequest, _ destinations: CurlDestinations) throws {
            guard !destinations.isEmpty, let origin = Origin(request.url), let place = destinations[origin] else {
                return
            }
            let isKept =
                switch place {
                case .socket(let path): sn_transfer_use_socket(pointer, path)
                case .addresses(let list):
                    // libcurl's versions differ in whether they look a name up with its trailing dot.
                    Set([origin.host, origin.host.hasSuffix(".") ? String(origin.host.dropLast()) : origin.host])
                        .allSatisfy { sn_transfer_use_addresses(pointer, "\($0):\(origin.port):\(list)") }
                }
            guard isKept else { throw CurlTransport.outOfMemory }
        }
    }
#endif
