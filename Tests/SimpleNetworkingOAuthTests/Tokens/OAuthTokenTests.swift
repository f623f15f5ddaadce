import Foundation
import SimpleNetworkingOAuth
import Testing

struct OAuthTokenTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    /// Life, skew, age, and whether it has expired.
    @Test(arguments: [
        (3600, 60, 0, false), (3600, 60, 3539, false), (3600, 60, 3540, true), (3600, 60, 3600, true),
        (3600, 0, 3599, false), (3600, 0, 3600, true), (3600, -10, 3599, false), (3600, 300, 3300, true),
        // Never more than half of its life.
        (60, 60, 29, false), (60, 60, 30, true), (100, 1000, 49, false), (100, 1000, 50, true),
        (0, 60, 0, true),
        // The clock was set back, or on.
        (3600, 60, -1, false), (3600, 60, -86_400, false), (3600, 60, 86_400, true),
    ])
    func aTokenExpiresAheadOfItsEnd(life: TimeInterval, skew: TimeInterval, age: TimeInterval, isExpired: Bool) {
        let token = OAuthToken(accessToken: Secret("a"), receivedAt: start, expiresIn: life)
        #expect(token.expiresAt == start.addingTimeInterval(life))
        #expect(token.isExpired(at: start.addingTimeInterval(age), skew: skew) == isExpired)
    }

    @Test
    func theDefaultSkewIsAMinute() {
        let token = OAuthToken(accessToken: Secret("a"), receivedAt: start, expiresIn: 3600)
        #expect(!token.isExpired(at: start.addingTimeInterval(3539)))
        #expect(token.isExpired(at: start.addingTimeInterval(3540)))
    }

    @Test
    func aTokenWithoutAnEndNeverExpires() {
        let token = OAuthToken(accessToken: Secret("a"), receivedAt: start)
        #expect(!token.isExpired(at: .distantFuture))
    }

    @Test(arguments: [("Bearer", "Bearer a"), ("bearer", "Bearer a"), ("BEARER", "Bearer a"), ("mac", "mac a")])
    func theHeaderFieldNamesTheType(type: String, value: String) {
        #expect(OAuthToken(accessToken: Secret("a"), type: type).authorization == Secret(value))
    }

    @Test(arguments: [TimeInterval.infinity, -.infinity, .nan])
    func aLifetimeThatIsNoNumberIsUnknown(seconds: TimeInterval) throws {
        let token = OAuthToken(accessToken: Secret("a"), receivedAt: Date(), expiresIn: seconds)
        #expect(token.expiresAt == nil)
        #expect(try JSONDecoder().decode(OAuthToken.self, from: JSONEncoder().encode(token)) == token)
    }

    @Test
    func whatIsEncodedIsDecodedAlike() throws {
        let token = OAuthToken(
            accessToken: Secret("a"),
            refreshToken: Secret("r"),
            type: "MAC",
            receivedAt: Date(),
            expiresIn: 0.1,
            scope: "x y",
            extra: ["id_token": Secret("i")]
        )
        #expect(try JSONDecoder().decode(OAuthToken.self, from: JSONEncoder().encode(token)) == token)
    }
}
