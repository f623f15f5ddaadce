/// The codes with which a device without a browser signs in (RFC 8628 §3.2).
struct DeviceCodes: Decodable {
    /// The code that the program polls with.
    let deviceCode: Secret
    let prompt: DevicePrompt
    /// The number of seconds between two polls.
    let interval: TimeInterval

    private enum CodingKeys: String, CodingKey {
        case deviceCode = "device_code", userCode = "user_code", lifetime = "expires_in", interval
        case verificationURI = "verification_uri", completeURI = "verification_uri_complete"
        /// The name used by servers that are older than the RFC.
        case verificationURL = "verification_url"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        deviceCode = try values.decode(Secret.self, forKey: .deviceCode)
        let url = try values.decodeIfPresent(URL.self, forKey: .verificationURI)
        prompt = DevicePrompt(
            userCode: try values.decode(String.self, forKey: .userCode),
            verificationURI: try url ?? values.decode(URL.self, forKey: .verificationURL),
            completeURI: try? values.decodeIfPresent(URL.self, forKey: .completeURI),
            lifetime: try values.decode(TimeInterval.self, forKey: .lifetime)
        )
        interval = max(try values.decodeIfPresent(TimeInterval.self, forKey: .interval) ?? 5, 1)
    }

    var grant: Grant {
        Grant(
            type: "urn:ietf:params:oauth:grant-type:device_code",
            parameters: [("device_code", deviceCode)],
            sendsScope: false
        )
    }
}

/// The information to show to a user who signs in on another device.
public struct DevicePrompt: Sendable, Hashable {
    /// The code that the user enters on the page.
    public let userCode: String
    /// The URL of the page where the user enters the code.
    public let verificationURI: URL
    /// The page's URL with the code included, for example, for a QR code, or nil if the server sent no such URL.
    public let completeURI: URL?
    /// The lifetime of the code, in seconds.
    public let lifetime: TimeInterval
}
