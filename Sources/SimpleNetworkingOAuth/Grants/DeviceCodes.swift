import SimpleNetworkingSupport

/// The codes with which a device without a browser signs in (RFC 8628 §3.2).
struct DeviceCodes {
    /// The code that the program polls with.
    let deviceCode: Secret
    let prompt: DevicePrompt
    /// The number of seconds between two polls.
    let interval: TimeInterval

    /// Reads a response; nil if it lacks a code or the page's URL.
    init?(_ data: Data) {
        guard let members = JSONMembers(data), let deviceCode = members.text("device_code"),
            let userCode = members.text("user_code")
        else { return nil }
        let completeURI = members.url("verification_uri_complete")
        // Servers that are older than the RFC use the second name.
        guard let uri = members.url("verification_uri") ?? members.url("verification_url") ?? completeURI else {
            return nil
        }
        self.deviceCode = Secret(deviceCode)
        prompt = DevicePrompt(
            userCode: userCode,
            verificationURI: uri,
            completeURI: completeURI,
            lifetime: members.seconds("expires_in").flatMap { $0 > 0 ? $0 : nil } ?? Self.usualLifetime
        )
        interval = min(max(members.seconds("interval") ?? 5, 1), 3600)
    }

    /// The lifetime of codes if the server sends none, in seconds; it then tells their expiry by `expired_token`.
    private static let usualLifetime: TimeInterval = 900

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
    /// The lifetime of the code, in seconds; 900 if the server sent none.
    public let lifetime: TimeInterval
}
